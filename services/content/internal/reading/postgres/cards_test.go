package postgres_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"serein.app/services/content/internal/contenttest"
	"serein.app/services/content/internal/reading"
	store "serein.app/services/content/internal/reading/postgres"
)

// harness is one test's database and the cards.
type harness struct {
	*contenttest.Harness
	*store.Store
}

func setup(tb testing.TB) *harness {
	tb.Helper()
	h := contenttest.Open(tb)
	return &harness{h, h.Stores.Pages}
}

// ids of a list, read in pages of two.
func (h *harness) ids(tb testing.TB, f reading.Filter, words ...string) (ids []string) {
	tb.Helper()
	for after := reading.First; ; {
		cards, cursors, err := h.Cards(tb.Context(), f, after, 2)
		if len(words) > 0 {
			cards, cursors, _, err = h.Search(tb.Context(), f, words, after, 2)
		}
		require.NoError(tb, err)
		for _, c := range cards {
			ids = append(ids, c.ID)
		}
		if len(cards) < 2 {
			return ids
		}
		after = cursors[1]
	}
}

func articlesIn(category string) reading.Filter {
	return reading.Filter{Kind: reading.Article, Category: category}
}

func (h *harness) counted(tb testing.TB, f reading.Filter) int {
	tb.Helper()
	around, err := h.Surroundings(tb.Context(), reading.SurroundingsAsked{Lists: []string{f.Name()}})
	require.NoError(tb, err)
	return around.Counts[f.Name()]
}

func TestListsShowWhatReadersGetTheNewestFirstAndCountIt(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.Library(t)
	h.Article(t, "old", "Old", "", "2026-01-01", "anger")
	h.Article(t, "b", "B", "", "2026-02-01", "anger", "better-sleep")
	h.Article(t, "a", "A", "", "2026-02-01", "better-sleep")
	h.Article(t, "new", "New", "", "2026-03-01", "anger")
	require.Equal(t, []string{"new", "b", "a", "old"}, h.ids(t, articlesIn("")))
	require.Equal(t, []string{"new", "b", "old"}, h.ids(t, articlesIn("anger")))
	require.Equal(t, []int{4, 3, 2, 0}, []int{h.counted(t, articlesIn("")), h.counted(t, articlesIn("anger")), h.counted(t, articlesIn("better-sleep")), h.counted(t, articlesIn("gratitude"))})

	item := h.Article(t, "new", "New", "", "2025-03-01", "better-sleep")
	require.Equal(t, []string{"b", "a", "old", "new"}, h.ids(t, articlesIn("")), "it stands where it belongs now")
	require.Equal(t, []int{4, 2, 3}, []int{h.counted(t, articlesIn("")), h.counted(t, articlesIn("anger")), h.counted(t, articlesIn("better-sleep"))})
	_, err := h.Stores.Entries.Unpublish(t.Context(), contenttest.Editor, item.Key, item.Version)
	require.NoError(t, err)
	require.Equal(t, []string{"b", "a", "old"}, h.ids(t, articlesIn("")))
	require.Equal(t, []int{3, 2}, []int{h.counted(t, articlesIn("")), h.counted(t, articlesIn("better-sleep"))})
	require.Zero(t, h.Count(t, "SELECT count(*) FROM listed WHERE id = 'new'"))
}

func TestADraftChangesNothingThatReadersSee(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.Library(t)
	item := h.Article(t, "a", "First", "", "2026-02-01")
	_, err := h.Stores.Entries.Update(t.Context(), contenttest.Editor, item.Key, item.Version, contenttest.With(map[string]any{"title": "Second", "slug": "a"}))
	require.NoError(t, err)
	c, err := h.CardNamed(t.Context(), reading.Article, "a")
	require.NoError(t, err)
	require.Equal(t, "First", c.Title)
}

func TestASearchInAListForgivesATypingErrorWhereNothingIsFoundOtherwise(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.Library(t)
	h.Article(t, "a", "The Neighbour You Cannot Stand", "And a kettle.", "2026-02-01", "anger")
	h.Article(t, "b", "The Kettle", "It has no neighbour.", "2026-03-01", "better-sleep")
	h.Article(t, "c", "A Nettle", "By the wall.", "2026-04-01", "anger")
	for text, ids := range map[string][]string{
		"neihbour": {"b", "a"}, "ketle": {"b", "a"}, "neihbour ketle": {"b", "a"}, "niehgbour": nil, "kettle": {"b", "a"}, "nettle": {"c"},
		"neighbuor stand": {"a"}, "wal": {"c"}, "wxl": nil,
	} {
		require.Equal(t, ids, h.ids(t, articlesIn(""), reading.SearchWords(text)...), text)
	}
	require.Equal(t, []string{"a"}, h.ids(t, articlesIn("anger"), reading.SearchWords("neihbour")...), "in one category")
	_, _, total, err := h.Search(t.Context(), articlesIn(""), reading.SearchWords("neihbour"), reading.First, 1)
	require.NoError(t, err)
	require.Equal(t, 2, total)
}

func TestASearchFindsBeginningsOfWordsWithoutCaseAndAccents(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.Library(t)
	h.Article(t, "a", "A Café by the Sea", "You don’t *have* to order.", "2026-02-01", "anger")
	h.Article(t, "b", "Nothing", "The cafeteria was closed; it was cold.", "2026-01-01", "anger")
	h.Article(t, "c", "Coffee", "At home.", "2026-03-01", "better-sleep")
	require.Equal(t, []string{"a", "b"}, h.ids(t, articlesIn(""), reading.SearchWords("CAFE")...))
	require.Equal(t, []string{"a"}, h.ids(t, articlesIn(""), reading.SearchWords("dont caf")...))
	require.Equal(t, []string{"c", "a", "b"}, h.ids(t, articlesIn(""), reading.SearchWords("c")...))
	require.Equal(t, []string{"c"}, h.ids(t, articlesIn("better-sleep"), reading.SearchWords("c")...))
	require.Empty(t, h.ids(t, articlesIn(""), reading.SearchWords("cafe home")...))
	_, _, total, err := h.Search(t.Context(), articlesIn(""), []string{"caf"}, reading.First, 1)
	require.NoError(t, err)
	require.Equal(t, 2, total)
}

func TestWhoComesByAFormerSlugOrTitleFindsTheArticle(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.Library(t)
	h.Article(t, "a", "Awake at Three", "", "2026-02-01")
	d := contenttest.With(map[string]any{"title": "Awake at Four", "slug": "awake", "published": "2026-02-01"})
	item := h.Give(t, "article", "a", d)
	for _, name := range []string{"awake", "a", "awake-at-three", "Awake at Three", "awake-at-four"} {
		c, err := h.CardNamed(t.Context(), reading.Article, name)
		require.NoError(t, err, name)
		require.Equal(t, []string{"a", "awake"}, []string{c.ID, c.Slug})
	}
	h.Article(t, "awake-at-three", "Another", "", "2026-02-01")
	c, err := h.CardNamed(t.Context(), reading.Article, "awake-at-three")
	require.NoError(t, err)
	require.Equal(t, "Another", c.Title, "who has a slug now comes first")
	for _, unknown := range []string{"nobody", "", "\x00", "' OR 1", "Another/../x"} {
		_, err := h.CardNamed(t.Context(), reading.Article, unknown)
		require.ErrorIs(t, err, reading.ErrNotFound, unknown)
	}
	_, err = h.CardNamed(t.Context(), reading.Meditation, "awake")
	require.ErrorIs(t, err, reading.ErrNotFound)
	_, err = h.Stores.Entries.Unpublish(t.Context(), contenttest.Editor, item.Key, item.Version)
	require.NoError(t, err)
	_, err = h.CardNamed(t.Context(), reading.Article, "awake")
	require.ErrorIs(t, err, reading.ErrNotFound)
}

func TestWhatWasPublishedBeforeThereWereCardsGetsOne(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.Library(t)
	for _, id := range []string{"a", "b", "c"} {
		h.Article(t, id, "Title of "+id, "", "2026-02-01")
	}
	h.Give(t, "meditation", "m", contenttest.With(map[string]any{"title": "M", "slug": "m", "verified": true}))
	_, err := h.Pool.Exec(t.Context(), "DELETE FROM cards WHERE id IN ('a', 'm')")
	require.NoError(t, err)
	_, err = h.Pool.Exec(t.Context(), "UPDATE cards SET form = 0, slug = 'x' WHERE id = 'b'")
	require.NoError(t, err)
	require.Equal(t, 2, h.counted(t, articlesIn("")))
	require.NoError(t, h.RenewCards(t.Context()))
	require.Equal(t, []string{"c", "b", "a"}, h.ids(t, articlesIn("")))
	require.Equal(t, 3, h.counted(t, articlesIn("")))
	require.Equal(t, 1, h.counted(t, reading.Filter{Kind: reading.Meditation, Scope: reading.Verified}))
	require.Zero(t, h.Count(t, "SELECT count(*) FROM cards WHERE slug = 'x'"))
}

// Two releases run side by side while one takes the other's place, and each may start again.
func TestCardsOfANewerReleaseStayAsTheyAre(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.Library(t)
	h.Article(t, "a", "Title of a", "", "2026-02-01")
	_, err := h.Pool.Exec(t.Context(), "UPDATE cards SET form = form + 1, slug = 'x'")
	require.NoError(t, err)
	require.NoError(t, h.RenewCards(t.Context()))
	require.Equal(t, 1, h.Count(t, "SELECT count(*) FROM cards WHERE slug = 'x'"))
}

func TestAnItemOfAnotherEnvironmentIsNoReaders(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.Library(t)
	h.Now = h.Now.Add(time.Hour)
	for _, sql := range []string{
		"INSERT INTO environments (id) VALUES ('draft')", "INSERT INTO locales SELECT 'draft', code, name, fallback_code, is_default, version FROM locales",
		"INSERT INTO content_types SELECT 'draft', id, name, description, display_field, fields, version, created_at, updated_at FROM content_types",
	} {
		_, err := h.Pool.Exec(t.Context(), sql)
		require.NoError(t, err)
	}
	elsewhere := contenttest.Key("a")
	elsewhere.Environment = "draft"
	item, err := h.Stores.Entries.Create(t.Context(), contenttest.Editor, elsewhere, "article", contenttest.With(map[string]any{"title": "Lantern", "slug": "a"}))
	require.NoError(t, err)
	item, err = h.Stores.Entries.Publish(t.Context(), contenttest.Editor, elsewhere, item.Version)
	require.NoError(t, err)
	require.Empty(t, h.ids(t, articlesIn("")))
	require.Empty(t, h.Found(t, "lantern"), "nor is it found")

	h.Article(t, "a", "Lamp", "", "2027-02-01")
	_, err = h.Stores.Entries.Unpublish(t.Context(), contenttest.Editor, elsewhere, item.Version)
	require.NoError(t, err)
	require.Equal(t, []string{"a"}, h.ids(t, articlesIn("")), "what is done to it is not done to master's")
	require.Equal(t, []string{"a"}, h.Found(t, "lamp"))
}

func TestASearchFindsTheSameHoweverManyHaveTheWordsAndCountsThemToAThousand(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.Library(t)
	h.Shelve(t, 2100, 2)
	for _, f := range []reading.Filter{articlesIn(""), articlesIn("c3")} {
		for _, words := range [][]string{{"some"}, {"half"}, {"seldom"}, {"oldest"}, {"half", "oldest"}, {"some", "seldom"}, {"nowhere"}} {
			var want []string
			require.NoError(t, h.Pool.QueryRow(t.Context(), `SELECT COALESCE(array_agg(c.id ORDER BY l.place DESC, l.id DESC), '{}') FROM cards c JOIN listed l USING (kind, id)
				WHERE l.list = $1 AND c.words @@ plainto_tsquery('simple', $2)`, f.Name(), strings.Join(words, " ")).Scan(&want))
			ids := []string{}
			for after := reading.First; ; {
				cards, cursors, total, err := h.Search(t.Context(), f, words, after, 90)
				require.NoError(t, err)
				require.Equal(t, min(len(want), 1000), total, words)
				for _, c := range cards {
					ids = append(ids, c.ID)
				}
				if len(cards) < 90 {
					break
				}
				after = cursors[len(cursors)-1]
			}
			require.Equal(t, want, ids, words)
		}
	}
}
