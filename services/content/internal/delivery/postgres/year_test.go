package postgres_test

import (
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"

	reader "serein.app/services/content/internal/delivery/postgres"
	"serein.app/services/content/internal/delivery/query"
	"serein.app/services/content/internal/entry"
	store "serein.app/services/content/internal/postgres"
	"serein.app/services/testkit/year"
)

// yearOfEntries are entries of two content types and what they link to, assets, and what has gone.
var yearOfEntries = []string{
	`INSERT INTO published (environment, kind, id, content_type, revision, version, fields, tags, concepts, created_at, first_published_at, updated_at, seq)
		SELECT 'master', CASE n % 10 WHEN 0 THEN 'Asset' ELSE 'Entry' END, 'e' || n, CASE n % 10 WHEN 0 THEN NULL WHEN 1 THEN 'author' ELSE 'post' END, 1, 1,
			jsonb_build_object('title', jsonb_build_object('en-GB', 'Title number' || n), 'order', jsonb_build_object('en-GB', n)),
			CASE WHEN n IN (102, 203, 304) THEN '{rare}'::text[] ELSE '{}' END, '{}', at, at, at, n
		FROM (SELECT n, now() - interval '365 days' * (1 - n / $1::float8) AS at FROM generate_series(1, $1::int) n) AS year`,
	`INSERT INTO published_counts SELECT environment, kind, COALESCE(content_type, ''), count(*) FROM published GROUP BY environment, kind, content_type`,
	`INSERT INTO links (environment, id, field, target_kind, target_id)
		SELECT 'master', 'e' || n, 'author', 'Entry', 'e' || (n / 10 * 10 + 1) FROM generate_series(1, $1::int) n WHERE n % 10 > 1`,
	`INSERT INTO deletions (environment, kind, id, content_type, revision, created_at, deleted_at, seq)
		SELECT 'master', 'Entry', 'd' || n, 'post', 1, now(), now() - interval '365 days' * (1 - n / $1::float8), $1::int + n FROM generate_series(1, $1::int, 10) n`,
}

var model = query.Model{
	Environment: "master", Locales: entry.Locales{{Code: "en-GB", Default: true}},
	Types: map[string]entry.ContentType{"post": {ID: "post", Fields: []entry.Field{
		{ID: "title", Type: entry.Symbol}, {ID: "order", Type: entry.Integer}, {ID: "author", Type: entry.LinkType, LinkType: entry.KindEntry},
	}}, "author": {ID: "author"}},
}

// lists are the queries whose pages must cost the same in a year.
var lists = []string{
	"", "content_type=post", "cursor=true&limit=100", "content_type=post&cursor=true", "order=sys.createdAt&cursor=true", "sys.id[in]=e2,e3,e4",
	"content_type=post&fields.title=Title+number3999", "content_type=post&fields.title[match]=number3999", "query=number3999", "metadata.tags.sys.id[in]=rare&limit=1",
	"links_to_entry=e1", "content_type=post&order=-sys.updatedAt", "sys.updatedAt[gt]=2020-01-01&limit=10",
}

func TestAfterAYearPagesTouchWhatTheyTouchedInTheFirstWeek(t *testing.T) {
	t.Parallel()
	y := year.Open(t, "content", store.Migrate, yearOfEntries...)
	pool, recorded := year.Record(t, y.Databases()[0])
	r, ctx := reader.New(pool), t.Context()
	for _, raw := range lists {
		values, err := url.ParseQuery(raw)
		require.NoError(t, err)
		q, err := query.Parse(query.Entries, model, values)
		require.NoError(t, err, raw)
		items, err := r.Items(ctx, "master", q, nil)
		require.NoError(t, err, raw)
		require.NotEmpty(t, items, raw)
		if raw == "" || raw == "content_type=post" {
			n, err := r.Count(ctx, "master", q)
			require.NoError(t, err)
			require.Greater(t, n, 1000, "all are counted, and none is read for it")
		}
		if q.Page.Cursor {
			q.Page.Limit = 1000
			items, err = r.Items(ctx, "master", q, nil)
			require.NoError(t, err, raw)
			q.Page.Limit = 100
			for _, back := range []bool{false, true} {
				_, err = r.Items(ctx, "master", q, &query.Position{Keys: items[len(items)/2].Position, Back: back})
				require.NoError(t, err, raw)
			}
		}
	}
	_, err := r.Linked(ctx, "master", []entry.Link{{Kind: entry.KindEntry, ID: "e2"}, {Kind: entry.KindAsset, ID: "e10"}})
	require.NoError(t, err)
	_, err = r.Latest(ctx, "master")
	require.NoError(t, err)
	both := []entry.Kind{entry.KindEntry, entry.KindAsset}
	for _, changes := range []query.Changes{
		{Published: both, UpTo: 100_000_000}, {Published: both, Deleted: both}, {Published: both[:1], ContentType: "author"}, {Published: both[1:]},
	} {
		changes.After, changes.Limit = 100, 100
		_, err = r.Changes(ctx, "master", changes)
		require.NoError(t, err)
	}
	y.CheckRecorded(recorded)
}
