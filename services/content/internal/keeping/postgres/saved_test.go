package postgres_test

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"serein.app/services/content/internal/contenttest"
	"serein.app/services/content/internal/keeping"
	rooms "serein.app/services/content/internal/postgres"
	"serein.app/services/content/internal/reading"
)

var (
	savedArticles = keeping.Shelf{Kind: reading.Article}
	savedLibrary  = keeping.Shelf{Kind: reading.Meditation}
	savedIntros   = keeping.Shelf{Kind: reading.Meditation, Intro: true}
)

// meditation publishes one that is verified.
func (h *harness) meditation(tb testing.TB, id, title, script string, intro bool) {
	tb.Helper()
	h.Give(tb, "meditation", id, contenttest.With(map[string]any{"title": title, "slug": id, "script": script, "intro": intro, "verified": true}))
}

// save keeps items for a member, one a second.
func (h *harness) save(tb testing.TB, uid uuid.UUID, kind reading.Kind, ids ...string) {
	tb.Helper()
	for _, id := range ids {
		h.Now = h.Now.Add(time.Second)
		_, _, err := h.SetSaved(tb.Context(), uid, reading.Item{Kind: kind, ID: id}, true)
		require.NoError(tb, err)
	}
}

// shelf is all of one, read in pages of two, whose total is right on each.
func (h *harness) shelf(tb testing.TB, asked keeping.Asked, shelf keeping.Shelf) (ids []string) {
	tb.Helper()
	counts, err := h.CountSaved(tb.Context(), asked)
	require.NoError(tb, err)
	for after := reading.First; ; {
		cards, cursors, total, err := h.Saved(tb.Context(), asked, shelf, after, 2)
		require.NoError(tb, err)
		require.Equal(tb, counts[shelf], total)
		for _, c := range cards {
			ids = append(ids, c.ID)
		}
		if len(cards) < 2 {
			require.Len(tb, ids, total)
			return ids
		}
		after = cursors[1]
	}
}

func TestWhatIsSavedIsListedTheLastFirstWhileReadersGetIt(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.Library(t)
	uid := uuid.New()
	for i, id := range []string{"a", "b", "c", "d", "e"} {
		h.Article(t, id, id, "", "2026-02-01")
		if i != 1 {
			h.Now = h.Now.Add(time.Second)
		}
		_, _, err := h.SetSaved(t.Context(), uid, reading.Item{Kind: reading.Article, ID: id}, true)
		require.NoError(t, err)
	}
	h.Withdraw(t, "d")
	h.Give(t, "meditation", "m", contenttest.With(map[string]any{"title": "M", "slug": "m"}))
	_, _, err := h.SetSaved(t.Context(), uid, reading.Item{Kind: reading.Meditation, ID: "m"}, true)
	require.NoError(t, err)
	var ids []string
	for after := reading.First; ; {
		cards, cursors, total, err := h.Saved(t.Context(), keeping.Asked{UID: uid}, savedArticles, after, 2)
		require.NoError(t, err)
		require.Equal(t, 4, total)
		for _, c := range cards {
			ids = append(ids, c.ID)
		}
		if len(cards) < 2 {
			break
		}
		after = cursors[1]
	}
	require.Equal(t, []string{"e", "c", "b", "a"}, ids)
	for all, want := range map[bool]int{false: 0, true: 1} {
		cards, _, total, err := h.Saved(t.Context(), keeping.Asked{UID: uid, All: all}, savedLibrary, reading.First, 2)
		require.NoError(t, err)
		require.Equal(t, []int{want, want}, []int{len(cards), total}, "an unverified one")
	}
	for _, far := range []int64{-1 << 62, 1 << 62} {
		_, _, _, err := h.Saved(t.Context(), keeping.Asked{UID: uid}, savedArticles, reading.Cursor{Place: far, ID: "a"}, 2)
		require.NoError(t, err)
	}
}

func TestIntroductionsAndTheRestOfTheLibraryAreSavedApart(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.Library(t)
	uid := uuid.New()
	for i := range 5 {
		h.meditation(t, fmt.Sprint("intro", i), "A beginning", "", true)
		h.meditation(t, fmt.Sprint("m", i), "The lake", "", false)
		h.save(t, uid, reading.Meditation, fmt.Sprint("intro", i), fmt.Sprint("m", i))
	}
	h.Article(t, "a", "A", "", "2026-02-01")
	h.save(t, uid, reading.Article, "a")
	asked := keeping.Asked{UID: uid}
	require.Equal(t, []string{"intro4", "intro3", "intro2", "intro1", "intro0"}, h.shelf(t, asked, savedIntros))
	require.Equal(t, []string{"m4", "m3", "m2", "m1", "m0"}, h.shelf(t, asked, savedLibrary))
	require.Equal(t, []string{"a"}, h.shelf(t, asked, savedArticles))
	require.Empty(t, h.shelf(t, keeping.Asked{UID: uuid.New()}, savedLibrary))

	h.meditation(t, "intro4", "A beginning no more", "", false)
	require.Equal(t, []string{"m4", "intro4", "m3", "m2", "m1", "m0"}, h.shelf(t, asked, savedLibrary), "it stands where its contenttest.Editor has it now")
	require.Len(t, h.shelf(t, asked, savedIntros), 4)
}

// The saved row stays, so the item is listed again once it is published again.
func TestWithdrawnItemsAreNeitherListedNorCounted(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.Library(t)
	uid, asked := uuid.New(), keeping.Asked{}
	asked.UID = uid
	for _, id := range []string{"a", "b", "c"} {
		h.Article(t, id, "Rest "+id, "", "2026-02-01")
		h.save(t, uid, reading.Article, id)
	}
	h.Withdraw(t, "b")
	require.Equal(t, []string{"c", "a"}, h.shelf(t, asked, savedArticles))
	searched := asked
	searched.Words = []string{"rest"}
	require.Equal(t, []string{"c", "a"}, h.shelf(t, searched, savedArticles))
	h.Article(t, "b", "Rest b", "", "2026-02-01")
	require.Equal(t, []string{"c", "b", "a"}, h.shelf(t, asked, savedArticles))
}

func TestASearchOfWhatIsSavedForgivesATypingErrorWhereNoShelfHasTheWords(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.Library(t)
	uid := uuid.New()
	h.Article(t, "kettle", "The Kettle", "It sings by the window.", "2026-02-01")
	h.Article(t, "nettle", "A Nettle", "By the wall.", "2026-02-01")
	h.Article(t, "other", "The Kettle of Others", "", "2026-02-01")
	h.meditation(t, "lake", "The Lake", "Rain at the window. Nettles.", false)
	h.meditation(t, "first", "A First Sitting", "A window.", true)
	h.save(t, uid, reading.Article, "kettle", "nettle")
	h.save(t, uid, reading.Meditation, "lake", "first")
	for search, want := range map[string][][]string{
		"WIND":         {{"kettle"}, {"lake"}, {"first"}},
		"kettle":       {{"kettle"}, nil, nil}, // though a nettle is one letter away
		"the win":      {{"kettle"}, {"lake"}, nil},
		"windwo":       {{"kettle"}, {"lake"}, {"first"}},
		"sitting lake": {nil, nil, nil},
		"zzz":          {nil, nil, nil},
		" – ":          {{"nettle", "kettle"}, {"lake"}, {"first"}},
	} {
		asked := keeping.Asked{UID: uid, Words: reading.SearchWords(search)}
		for i, shelf := range []keeping.Shelf{savedArticles, savedLibrary, savedIntros} {
			require.Equal(t, want[i], h.shelf(t, asked, shelf), "%q: %v", search, shelf)
		}
	}
}

// asked records the statements that a connection is sent, with what they are asked for.
type asked struct {
	sql  []string
	args [][]any
}

func (a *asked) TraceQueryStart(ctx context.Context, _ *pgx.Conn, q pgx.TraceQueryStartData) context.Context {
	a.sql, a.args = append(a.sql, q.SQL), append(a.args, q.Args)
	return ctx
}

func (a *asked) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

func (a *asked) TraceBatchStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceBatchStartData) context.Context {
	return ctx
}

func (a *asked) TraceBatchQuery(_ context.Context, _ *pgx.Conn, q pgx.TraceBatchQueryData) {
	a.sql, a.args = append(a.sql, q.SQL), append(a.args, q.Args)
}

func (a *asked) TraceBatchEnd(context.Context, *pgx.Conn, pgx.TraceBatchEndData) {}

// plan of a statement, as far as this package looks at it.
type plan struct {
	Hit  int    `json:"Shared Hit Blocks"`
	Read int    `json:"Shared Read Blocks"`
	Node string `json:"Node Type"`
	Of   string `json:"Relation Name"`
	Sub  []plan `json:"Plans"`
}

// reads says by which nodes a plan reads a table.
func (p plan) reads(table string) (nodes []string) {
	if p.Of == table {
		nodes = append(nodes, p.Node)
	}
	for _, sub := range p.Sub {
		nodes = append(nodes, sub.reads(table)...)
	}
	return nodes
}

// TestTwoThousandSavedCostAPageWhatTenDo looks at the plans: a page touches what it shows, and the counts read no card.
func TestTwoThousandSavedCostAPageWhatTenDo(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.Library(t)
	h.Shelve(t, 3000, 20)
	few, many := uuid.New(), uuid.New()
	_, err := h.Pool.Exec(t.Context(), `INSERT INTO saved SELECT m.uid, 'article', 'e' || n, now() - n * interval '1 minute'
		FROM (VALUES ($1::uuid, 10), ($2::uuid, $3::int)) m (uid, saved), generate_series(1, m.saved) n
		UNION ALL SELECT md5(n::text)::uuid, 'article', 'e' || n % 3000, now() FROM generate_series(1, 40000) n`, few, many, keeping.MaxSaved)
	require.NoError(t, err)
	h.Vacuum(t)

	cfg := h.Pool.Config()
	sent := &asked{}
	cfg.ConnConfig.Tracer = sent
	pool, err := pgxpool.NewWithConfig(t.Context(), cfg)
	require.NoError(t, err)
	defer pool.Close()
	traced := rooms.Open(pool, nil, func() time.Time { return h.Now }).Kept
	plans := func(uid uuid.UUID) (page, counts plan) {
		*sent = asked{}
		cards, _, _, err := traced.Saved(t.Context(), keeping.Asked{UID: uid, All: true}, savedArticles, reading.First, 10)
		require.NoError(t, err)
		require.Len(t, cards, 10)
		require.Len(t, sent.sql, 2)
		return h.explain(t, sent, 1), h.explain(t, sent, 0)
	}
	fewPage, _ := plans(few)
	manyPage, manyCounts := plans(many)
	require.LessOrEqual(t, float64(manyPage.Hit+manyPage.Read), 1.5*float64(fewPage.Hit+fewPage.Read), "%+v", manyPage)
	require.Equal(t, []string{"Index Only Scan"}, manyCounts.reads("cards"), "%+v", manyCounts)
	require.Equal(t, []string{"Index Only Scan"}, manyCounts.reads("saved"), "%+v", manyCounts)
}

// explain runs a statement that was sent once more.
func (h *harness) explain(tb testing.TB, sent *asked, i int) plan {
	tb.Helper()
	var raw []byte
	require.NoError(tb, h.Pool.QueryRow(tb.Context(), "EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) "+sent.sql[i], sent.args[i]...).Scan(&raw))
	var found []struct{ Plan plan }
	require.NoError(tb, json.Unmarshal(raw, &found))
	return found[0].Plan
}

// BenchmarkSaved measures a page and the counts of a full shelf, and a search of it.
func BenchmarkSaved(b *testing.B) {
	h := setup(b)
	h.Library(b)
	h.Shelve(b, 20_000, 300)
	few, many := uuid.New(), uuid.New()
	_, err := h.Pool.Exec(b.Context(), `INSERT INTO saved SELECT m.uid, 'article', 'e' || n * 10, now() - n * interval '1 minute'
		FROM (VALUES ($1::uuid, 10), ($2::uuid, $3::int)) m (uid, saved), generate_series(1, m.saved) n`, few, many, keeping.MaxSaved)
	require.NoError(b, err)
	h.Vacuum(b)
	for name, asked := range map[string]keeping.Asked{
		"Ten": {UID: few, All: true}, "TwoThousand": {UID: many, All: true},
		"SearchInTwoThousand": {UID: many, All: true, Words: []string{"some"}}, "NothingInTwoThousand": {UID: many, All: true, Words: []string{"zzz"}},
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				_, _, _, err := h.Saved(b.Context(), asked, savedArticles, reading.First, 25)
				require.NoError(b, err)
			}
		})
	}
}
