package delivery_test

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
)

// benchPage is how many entries a page has.
const benchPage = 100

// benchEntries publishes that many posts of a hundred authors, each with one of fifty covers; authors link to a post.
var benchEntries = []string{
	`INSERT INTO published (environment, kind, id, content_type, revision, version, fields, tags, concepts, created_at, first_published_at, updated_at, seq)
		SELECT 'master', 'Entry', 'p' || n, 'post', 1, 3, jsonb_build_object(
				'title', jsonb_build_object('en-GB', 'Title number ' || n), 'order', jsonb_build_object('en-GB', n),
				'body', jsonb_build_object('en-GB', repeat('Sit as you like, and let the day go where it goes. ', $2::int)),
				'author', jsonb_build_object('en-GB', jsonb_build_object('sys', jsonb_build_object('type', 'Link', 'linkType', 'Entry', 'id', 'a' || n % 100))),
				'cover', jsonb_build_object('en-GB', jsonb_build_object('sys', jsonb_build_object('type', 'Link', 'linkType', 'Asset', 'id', 'c' || n % 50)))),
			'{}', '{}', at, at, at, n
		FROM (SELECT n, now() - interval '365 days' * (1 - n / $1::float8) AS at FROM generate_series(1, $1::int) n) AS year`,
	`INSERT INTO published (environment, kind, id, content_type, revision, version, fields, tags, concepts, created_at, first_published_at, updated_at, seq)
		SELECT 'master', 'Entry', 'a' || n, 'author', 1, 3, jsonb_build_object('name', jsonb_build_object('en-GB', 'Author ' || n),
				'best', jsonb_build_object('en-GB', jsonb_build_object('sys', jsonb_build_object('type', 'Link', 'linkType', 'Entry', 'id', 'p' || n + 1)))),
			'{}', '{}', now(), now(), now(), $1::int + 1 + n FROM generate_series(0, 99) n WHERE $2::int > 0`,
	`INSERT INTO published (environment, kind, id, content_type, revision, version, fields, tags, concepts, created_at, first_published_at, updated_at, seq)
		SELECT 'master', 'Asset', 'c' || n, NULL, 1, 3, jsonb_build_object('title', jsonb_build_object('en-GB', 'A lake ' || n)),
			'{}', '{}', now(), now(), now(), $1::int + 101 + n FROM generate_series(0, 49) n WHERE $2::int > 0`,
	`INSERT INTO links (environment, id, field, target_kind, target_id)
		SELECT 'master', id, field, fields #>> ARRAY[field, 'en-GB', 'sys', 'linkType'], fields #>> ARRAY[field, 'en-GB', 'sys', 'id']
		FROM published, unnest('{author,cover,best}'::text[]) field WHERE fields ? field AND $1::int > 0 AND $2::int > 0`,
	`INSERT INTO published_counts SELECT environment, kind, COALESCE(content_type, ''), count(*) FROM published WHERE $1::int > 0 AND $2::int >= 0 GROUP BY 1, 2, 3`,
}

// benchAPI is the delivery API over that many posts, whose text says its sentence so many times; without a text they stand
// alone.
func benchAPI(b *testing.B, posts, sentences int) *api {
	b.Helper()
	a := newAPI(b)
	a.contentType("master", "author", authorFields)
	a.contentType("master", "post", postFields)
	// Without triggers: that each row has its draft is not what is measured.
	admin, err := pgx.Connect(b.Context(), a.AdminURL)
	require.NoError(b, err)
	defer func() { _ = admin.Close(b.Context()) }()
	_, err = admin.Exec(b.Context(), "SET session_replication_role = replica")
	require.NoError(b, err)
	for _, statement := range benchEntries {
		_, err = admin.Exec(b.Context(), statement, posts, sentences)
		require.NoError(b, err, statement)
	}
	_, err = admin.Exec(b.Context(), "VACUUM ANALYZE")
	require.NoError(b, err)
	return a
}

// includeTwo asks for what ?content_type=post&include=2 answers: a page, what it links to, and what that links to.
const includeTwo = `WITH page AS (
		SELECT * FROM published WHERE environment = 'master' AND kind = 'Entry' AND content_type = 'post' ORDER BY updated_at DESC, id LIMIT $1
	), near AS (
		SELECT DISTINCT l.target_kind, l.target_id FROM page JOIN links l ON l.environment = page.environment AND l.id = page.id
	), far AS (
		SELECT DISTINCT l.target_kind, l.target_id FROM near JOIN links l ON near.target_kind = 'Entry' AND l.environment = 'master' AND l.id = near.target_id
	), all_of_it AS (
		SELECT * FROM page UNION ALL
		SELECT p.* FROM (SELECT * FROM near UNION SELECT * FROM far) t
			JOIN published p ON p.environment = 'master' AND p.kind = t.target_kind AND p.id = t.target_id
	)
	SELECT kind, id, content_type, revision, version, fields, tags, concepts, created_at, updated_at FROM all_of_it`

// BenchmarkDeliveryInclude asks for a page with two levels of links, of 10,000 entries: through the API over HTTP, and by one
// SQL statement whose rows are read and thrown away.
func BenchmarkDeliveryInclude(b *testing.B) {
	a := benchAPI(b, 10_000, 20)
	b.Run("SQL", func(b *testing.B) {
		drive(b, func() error {
			rows, err := a.Pool.Query(b.Context(), includeTwo, benchPage)
			if err != nil {
				return err
			}
			for rows.Next() {
				_ = rows.RawValues()
			}
			return rows.Err()
		})
	})
	b.Run("HTTP", func(b *testing.B) {
		a.hammer(b, base+fmt.Sprintf("entries?content_type=post&include=2&limit=%d", benchPage))
	})
}

// benchPosts are as many as pages are measured of.
const benchPosts = 1_000_000

// thousandth is the number of the page that by cursor must cost what the first does.
const thousandth = 1000

// BenchmarkDeliveryPages asks for the first and the thousandth page of 1,000,000 entries, by cursor as clients page; and for
// these two and the last by skip, which walks over all that it skips.
func BenchmarkDeliveryPages(b *testing.B) {
	a := benchAPI(b, benchPosts, 0)
	first := base + fmt.Sprintf("entries?content_type=post&cursor=true&limit=%d", benchPage)
	last := first
	for range thousandth - 1 {
		next, _ := at(a.ask(http.MethodGet, last, "").body, "pages", "next").(string)
		require.NotEmpty(b, next)
		last = strings.TrimPrefix(next, a.url)
	}
	b.Run("First", func(b *testing.B) { a.hammer(b, first) })
	b.Run("Thousandth", func(b *testing.B) { a.hammer(b, last) })
	b.Run("FirstBySkip", func(b *testing.B) { a.hammer(b, bySkip(1)) })
	b.Run("ThousandthBySkip", func(b *testing.B) { a.hammer(b, bySkip(thousandth)) })
	b.Run("LastBySkip", func(b *testing.B) { a.hammer(b, bySkip(benchPosts/benchPage)) })
}

// bySkip is the path of that page.
func bySkip(page int) string {
	return base + fmt.Sprintf("entries?content_type=post&limit=%d&skip=%d", benchPage, (page-1)*benchPage)
}

// hammer gets a path again and again, from eight clients a core over kept connections.
func (a *api) hammer(b *testing.B, path string) {
	b.Helper()
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64, DisableCompression: true}}
	defer client.CloseIdleConnections()
	drive(b, func() error {
		req, err := http.NewRequestWithContext(b.Context(), http.MethodGet, a.url+path, http.NoBody)
		if err != nil {
			return err
		}
		req.Header.Set("Authorization", "Bearer "+token)
		res, err := client.Do(req)
		if err != nil {
			return err
		}
		defer func() { _ = res.Body.Close() }()
		if res.StatusCode != http.StatusOK {
			return errors.New(res.Status)
		}
		_, err = io.Copy(io.Discard, res.Body)
		return err
	})
}

// drive does something again and again, eight times at once for each core, and says how often in a second.
func drive(b *testing.B, do func() error) {
	b.Helper()
	b.SetParallelism(8)
	b.ResetTimer()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			if err := do(); err != nil {
				b.Error(err)
				return
			}
		}
	})
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "req/s")
}
