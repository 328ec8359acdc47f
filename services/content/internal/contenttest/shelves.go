package contenttest

import (
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
)

// Shelve gives readers so many articles, one a minute, each in one of 13 categories. All have "some", half of them "half", the ten
// oldest "oldest", one in a thousand "seldom"; and size words of their own, an eighth of which begin with s.
func (h *Harness) Shelve(tb testing.TB, articles, size int) {
	tb.Helper()
	for _, sql := range []string{
		`INSERT INTO items (environment, kind, id, content_type, version, revision, fields, tags, concepts, created_at, updated_at, title)
			SELECT 'master', 'Entry', 'e' || n, 'article', 1, 1, '{}', '{}', '{}', now(), now(), '' FROM generate_series(1, $1::int) n`,
		`INSERT INTO published SELECT environment, kind, id, content_type, 1, 1, '{}', tags, concepts, created_at, updated_at, updated_at, nextval('changes')
			FROM items WHERE id IN (SELECT 'e' || n FROM generate_series(1, $1::int) n)`,
	} {
		_, err := h.Pool.Exec(tb.Context(), sql, articles)
		require.NoError(tb, err)
	}
	for first := 1; first <= articles; first += 1000 {
		_, err := h.Pool.Exec(tb.Context(), `INSERT INTO cards (kind, id, slug, card, lists, words, seq, form)
			SELECT 'article', 'e' || n, 'slug-' || n, jsonb_build_object('Title', 'Title ' || n, 'Preview', repeat(md5(n::text), 20)), ARRAY['articles/', 'articles/c' || n % 13],
				to_tsvector('simple', concat_ws(' ', 'some', CASE WHEN n % 2 = 0 THEN 'half' END, CASE WHEN n <= 10 THEN 'oldest' END, CASE WHEN n % 1000 = 7 THEN 'seldom' END,
					(SELECT string_agg(substr('stacdwpm', word % 8 + 1, 1) || substr(md5((n * 7919 + word * word) % 20011 || ''), 1, 3 + word % 5), ' ') FROM generate_series(1, $3::int) word))), 1, 1
			FROM generate_series($1::int, $2::int) n`, first, min(first+999, articles), size)
		require.NoError(tb, err)
	}
	_, err := h.Pool.Exec(tb.Context(), `INSERT INTO listed (list, place, kind, id)
		SELECT list, n * 60000000::bigint, kind, id FROM cards, unnest(lists) list, CAST(substr(id, 2) AS int) n`)
	require.NoError(tb, err)
}

// Vacuum has the planner know the tables, as it does some time after they were filled.
func (h *Harness) Vacuum(tb testing.TB) {
	tb.Helper()
	admin, err := pgx.Connect(tb.Context(), h.AdminURL)
	require.NoError(tb, err)
	defer func() { _ = admin.Close(tb.Context()) }()
	_, err = admin.Exec(tb.Context(), "VACUUM ANALYZE")
	require.NoError(tb, err)
}
