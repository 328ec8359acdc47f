package postgres_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"serein.app/services/content/internal/entry"
	store "serein.app/services/content/internal/postgres"
	"serein.app/services/content/internal/search"
	searchstore "serein.app/services/content/internal/search/postgres"
	"serein.app/services/testkit"
)

// findable are content types that are searched, with the fields that a search reads.
func (h *harness) findable(tb testing.TB) {
	tb.Helper()
	title := entry.Field{ID: "title", Name: "Title", Type: entry.Symbol, Localized: true}
	for id, fields := range map[string][]entry.Field{
		"category": {{ID: "name", Name: "Name", Type: entry.Symbol, Localized: true}, {ID: "order", Name: "Order", Type: entry.Integer}},
		"article": {
			title,
			{ID: "slug", Name: "Slug", Type: entry.Symbol},
			{ID: "body", Name: "Body", Type: entry.Text, Localized: true},
			{ID: "categories", Name: "Categories", Type: entry.Array, Items: &entry.Items{Type: entry.LinkType, LinkType: entry.KindEntry}},
		},
		"meditation": {
			title,
			{ID: "script", Name: "Script", Type: entry.Text, Localized: true},
			{ID: "verified", Name: "Verified", Type: entry.Boolean},
			{ID: "category", Name: "Category", Type: entry.LinkType, LinkType: entry.KindEntry},
			{ID: "duration", Name: "Duration", Type: entry.Integer},
		},
	} {
		display := "title"
		if id == "category" {
			display = "name"
		}
		_, err := h.SetContentType(tb.Context(), editor, entry.ContentType{Environment: entry.Master, ID: id, Name: id, DisplayField: display, Fields: fields})
		require.NoError(tb, err)
	}
	h.show(tb, "category", "sleep", map[string]any{"name": "Better Sleep", "order": 2.0})
	h.show(tb, "category", "anger", map[string]any{"name": "Anger", "order": 1.0})
}

// show publishes an entry.
func (h *harness) show(tb testing.TB, contentType, id string, values map[string]any) entry.Item {
	tb.Helper()
	fields := entry.Fields{}
	for name, value := range values {
		fields[name] = map[string]any{"en-GB": value}
	}
	item, err := h.Create(tb.Context(), editor, key(id), contentType, entry.Draft{Fields: fields})
	require.NoError(tb, err)
	item, err = h.Publish(tb.Context(), editor, key(id), item.Version)
	require.NoError(tb, err)
	return item
}

func filed(ids ...string) (links []any) {
	for _, id := range ids {
		links = append(links, entry.Link{Kind: entry.KindEntry, ID: id}.Value())
	}
	return links
}

func (h *harness) search(tb testing.TB, ask search.Ask) search.Answer {
	tb.Helper()
	if ask.Kinds == nil {
		ask.Kinds = search.Kinds
	}
	if ask.Size == 0 {
		ask.Size = 50
	}
	answer, err := search.New(h.index.SearchIndex()).Search(tb.Context(), ask)
	require.NoError(tb, err)
	return answer
}

// found are the ids that a text finds, kind after kind.
func (h *harness) found(tb testing.TB, text string) []string {
	tb.Helper()
	return ids(h.search(tb, search.Ask{Text: text}))
}

func ids(answer search.Answer) []string {
	all := []string{}
	for _, group := range answer.Groups {
		for _, m := range group.Matches {
			all = append(all, m.ID)
		}
	}
	return all
}

// vocabulary of titles: short and long words, with accents, strokes and apostrophes.
var vocabulary = strings.Fields("a the quiet Café evening naïve Straße breathing don’t anxiety Łódź rest calm sleep deeper déjà three garden 4-7-8 Über river")

func TestWhatATitleHoldsIsFoundHoweverItIsTyped(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.findable(t)
	random := rand.New(rand.NewPCG(1, 2))
	for i := range 12 {
		words := make([]string, 1+random.IntN(5))
		for at := range words {
			words[at] = vocabulary[random.IntN(len(vocabulary))]
		}
		id, title := fmt.Sprintf("article-%d", i), strings.Join(words, " ")
		h.show(t, "article", id, map[string]any{"title": title})
		for _, w := range search.Words(title) {
			typed := title[w.Start:w.End]
			for _, text := range append(prefixes(w.Folded), typed, strings.ToUpper(typed), w.Folded, w.Folded+" ", title, strings.ToUpper(title), typed+" "+words[0]) {
				require.Contains(t, h.found(t, text), id, "%q by %q", title, text)
			}
			letters := []rune(w.Folded)
			if len(letters) < 4 {
				continue
			}
			at := random.IntN(len(letters) - 1)
			rest := string(letters[at+1:])
			for _, text := range []string{
				string(letters[:at]) + "x" + rest, string(letters[:at]) + rest, string(letters[:at+1]) + string(letters[at:]),
				string(letters[:at]) + string([]rune{letters[at+1], letters[at]}) + string(letters[at+2:]),
			} {
				require.Contains(t, h.found(t, text+" "), id, "%q by %q", title, text)
			}
		}
	}
	for _, nothing := range []string{"🙂", "…", "xylophone", "calm xylophone", "'", " "} {
		require.Empty(t, h.found(t, nothing), nothing)
	}
}

func prefixes(word string) (all []string) {
	for i := range word {
		if i > 0 {
			all = append(all, word[:i])
		}
	}
	return all
}

func TestTheBestMatchIsFirst(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.findable(t)
	for _, a := range []struct{ id, title, body string }{
		{"whole", "A quiet garden", ""},
		{"begun", "Quiet gardeners", ""},
		{"mistyped", "Quiet gardem", ""},
		{"both", "The garden", "It is quiet here."},
		{"text", "Elsewhere", "A *quiet* [garden](https://example.com/walled)."},
		{"bothMistyped", "The gardem", "It is quiet here."},
		{"textMistyped", "Nowhere", "A quiet gardem."},
		{"none", "A garden", "Loud."},
	} {
		h.show(t, "article", a.id, map[string]any{"title": a.title, "body": a.body})
	}
	require.Equal(t, []string{"whole", "begun", "mistyped", "both", "text", "bothMistyped", "textMistyped"}, h.found(t, "quiet garden"))
	require.Empty(t, h.found(t, "walled"), "addresses are no words")
	match := h.search(t, search.Ask{Text: "quiet garden"}).Groups[1].Matches[4]
	require.Equal(t, []search.Piece{{Text: "A "}, {Text: "quiet", Matched: true}, {Text: " "}, {Text: "garden", Matched: true}, {Text: "."}}, match.Excerpt)
}

func TestASearchFollowsWhatReadersGet(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.findable(t)
	item := h.show(t, "article", "a", map[string]any{"title": "Lanterns", "slug": "lanterns", "categories": filed("sleep", "anger")})
	require.Equal(t, []string{"a"}, h.found(t, "lantern"))
	item, err := h.Update(t.Context(), editor, key("a"), item.Version, entry.Draft{Fields: entry.Fields{"title": {"en-GB": "Candles"}}})
	require.NoError(t, err)
	require.Equal(t, []string{"a"}, h.found(t, "lantern"), "a draft is nobody's")
	item, err = h.Publish(t.Context(), editor, key("a"), item.Version)
	require.NoError(t, err)
	require.Empty(t, h.found(t, "lantern"))
	require.Equal(t, []string{"a"}, h.found(t, "candels"))
	_, err = h.Unpublish(t.Context(), editor, key("a"), item.Version)
	require.NoError(t, err)
	require.Empty(t, h.found(t, "candles"))
	for _, table := range []string{"search_items", "search_postings", "search_words", "search_spellings"} {
		require.Zero(t, h.count(t, "SELECT count(*) FROM "+table), "nothing is left in %s", table)
	}
}

func TestMeditationsThatAreNotVerifiedAreFoundByAdminsAlone(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.findable(t)
	h.show(t, "meditation", "good", map[string]any{"title": "Tide", "verified": true, "script": "Breathe. [pause 8] Rest.", "category": filed("sleep")[0], "duration": 61.0})
	h.show(t, "meditation", "draft", map[string]any{"title": "Tide", "verified": false, "category": filed("anger")[0]})
	require.Equal(t, []string{"good"}, h.found(t, "tide"))
	require.Equal(t, []string{"draft", "good"}, ids(h.search(t, search.Ask{Text: "tide", Admin: true})))
	require.Empty(t, h.found(t, "pause"), "silence is no word")
	answer := h.search(t, search.Ask{Text: "breathe"})
	require.Equal(t, []search.Count{{ID: "anger", Name: "Anger"}, {ID: "sleep", Name: "Better Sleep", Count: 1}}, answer.Categories)
	require.Equal(t, 61, answer.Groups[2].Matches[0].Seconds)
	require.Equal(t, "Breathe. Rest.", answer.Groups[2].Matches[0].Text)
}

func TestACategoryAnswersWhatIsFiledThere(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.findable(t)
	h.show(t, "article", "one", map[string]any{"title": "One", "categories": filed("sleep", "anger")})
	h.show(t, "article", "two", map[string]any{"title": "Two", "categories": filed("sleep")})
	require.Equal(t, []string{"two", "one"}, ids(h.search(t, search.Ask{Category: "sleep"})))
	require.Equal(t, []string{"one"}, ids(h.search(t, search.Ask{Category: "anger"})))
	require.Equal(t, []string{"one"}, ids(h.search(t, search.Ask{Category: "sleep", Text: "one"})))
	require.Empty(t, ids(h.search(t, search.Ask{Category: "anger", Text: "two"})))
	require.Empty(t, ids(h.search(t, search.Ask{Category: "nowhere"})))
	require.Empty(t, ids(h.search(t, search.Ask{})), "no text matches nothing")
}

func TestPagesHaveEveryMatchOnceInTheirOrder(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.findable(t)
	var want []string
	for i := range 7 {
		id := fmt.Sprintf("a%d", i)
		values := map[string]any{"title": "River", "body": ""}
		if i%2 == 0 {
			values = map[string]any{"title": "Elsewhere", "body": "By the river."}
		}
		h.show(t, "article", id, values)
		want = append(want, id)
	}
	ask := search.Ask{Text: "river", Kinds: []search.Kind{search.Article}, Size: 2}
	var got []string
	for {
		group := h.search(t, ask).Groups[0]
		require.Equal(t, 7, group.Total)
		for _, m := range group.Matches {
			got = append(got, m.ID)
		}
		if ask.After = group.Next; ask.After == nil {
			break
		}
	}
	require.ElementsMatch(t, want, got)
	require.Equal(t, []string{"a5", "a3", "a1", "a6", "a4", "a2", "a0"}, got)
}

func TestIndexOfOlderReleaseIsRebuilt(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.findable(t)
	h.show(t, "article", "a", map[string]any{"title": "Lanterns"})
	done, err := h.index.RebuildIndex(t.Context())
	require.NoError(t, err)
	require.True(t, done)
	done, err = h.index.RebuildIndex(t.Context())
	require.NoError(t, err)
	require.False(t, done, "it is of this release")
	before := h.count(t, "SELECT count(*) FROM search_postings")
	// The index as an older release or a backup leaves it: empty but for one item that no longer exists.
	_, err = h.Pool.Exec(t.Context(), `DELETE FROM search_items; DELETE FROM search_postings; DELETE FROM search_words; UPDATE search_version SET version = 0;
		INSERT INTO search_items VALUES (77, 'article', 'gone', NULL, 'Gone', '', '', '{}', 0, false, 0, false, 0)`)
	require.NoError(t, err)
	done, err = h.index.RebuildIndex(t.Context())
	require.NoError(t, err)
	require.True(t, done)
	require.Equal(t, []string{"a"}, h.found(t, "lanterns"))
	require.Empty(t, h.found(t, "gone"))
	require.Equal(t, before, h.count(t, "SELECT count(*) FROM search_postings"))
}

// otherRelease has the index be as one made it that took the word river for brook.
func (h *harness) otherRelease(tb testing.TB) {
	tb.Helper()
	_, err := h.Pool.Exec(tb.Context(), `UPDATE search_version SET version = 0; UPDATE search_items SET form = 0;
		INSERT INTO search_words VALUES ('brook'); INSERT INTO search_spellings VALUES ('brok', 'brook');
		INSERT INTO search_postings SELECT place, 'brook', block, items FROM search_postings WHERE word = 'river' AND place IN (1, 2);
		DELETE FROM search_postings WHERE word = 'river'; DELETE FROM search_words WHERE word = 'river'`)
	require.NoError(tb, err)
}

func TestRebuildUsesSmallTransactionsAndContinuesAfterCrash(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.findable(t)
	for i := range 120 {
		h.show(t, "article", fmt.Sprintf("a%d", i), map[string]any{"title": "River"})
	}
	mine, own := uuid.New(), uuid.New()
	h.tx(t, func(ctx context.Context, tx pgx.Tx) error {
		return h.bespoke().Completed(ctx, tx, own, mine, "River", 90, h.now)
	})
	found := func(text string) (total int, first string) {
		group := h.search(t, search.Ask{Text: text, UID: mine.String(), Kinds: []search.Kind{search.Article}, Size: 1}).Groups[0]
		if group.Total > 0 {
			first = group.Matches[0].ID
		}
		return group.Total, first
	}
	h.otherRelease(t)
	total, _ := found("brook ")
	require.Equal(t, 120, total)

	moved, err := h.index.RenewSearchPage(t.Context())
	require.NoError(t, err)
	require.Equal(t, 50, moved)
	for text, want := range map[string]int{"river ": 50, "brook ": 70} {
		total, _ := found(text)
		require.Equal(t, want, total, "an item is found as it was until its turn comes, and never twice: %s", text)
	}
	h.show(t, "article", "new", map[string]any{"title": "River"})

	done, err := h.index.RebuildIndex(t.Context())
	require.NoError(t, err)
	require.True(t, done)
	total, first := found("river ")
	require.Equal(t, 121, total)
	require.Equal(t, "a119", first, "they stand in the order in which they stood; what was published meanwhile, where it came between")
	total, _ = found("brook ")
	require.Zero(t, total)
	group := h.search(t, search.Ask{Text: "river", UID: mine.String(), Kinds: []search.Kind{search.Bespoke}}).Groups[0]
	require.Equal(t, own.String(), group.Matches[0].ID)
	for _, table := range []string{"search_postings", "search_words", "search_spellings"} {
		require.Zero(t, h.count(t, "SELECT count(*) FROM "+table+" WHERE word = 'brook'"), "nothing of the other release is left in %s", table)
	}
	require.Equal(t, 122, h.count(t, "SELECT count(*) FROM search_items"))
}

func TestItemsIndexedByOlderReleaseAreIndexedAgain(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.findable(t)
	h.show(t, "article", "a", map[string]any{"title": "River"})
	h.show(t, "article", "b", map[string]any{"title": "River"})
	_, err := h.index.RebuildIndex(t.Context())
	require.NoError(t, err)
	h.otherRelease(t)
	_, err = h.Pool.Exec(t.Context(), "UPDATE search_version SET version = 1")
	require.NoError(t, err)
	item, err := h.Item(t.Context(), key("a"))
	require.NoError(t, err)
	item, err = h.Update(t.Context(), editor, key("a"), item.Version, entry.Draft{Fields: entry.Fields{"title": {"en-GB": "Meadow"}}})
	require.NoError(t, err)
	_, err = h.Publish(t.Context(), editor, key("a"), item.Version)
	require.NoError(t, err)
	require.Equal(t, []string{"b"}, h.found(t, "brook "), "this one's own writes leave nothing of the other's behind")
	done, err := h.index.RebuildIndex(t.Context())
	require.NoError(t, err)
	require.False(t, done)
	require.Empty(t, h.found(t, "brook "))
	require.Equal(t, []string{"b"}, h.found(t, "river"))
	require.Equal(t, []string{"a"}, h.found(t, "meadow"))
}

func TestTheIndexOfANewerReleaseStaysAsItIs(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.findable(t)
	h.show(t, "article", "a", map[string]any{"title": "Lanterns"})
	_, err := h.index.RebuildIndex(t.Context())
	require.NoError(t, err)
	_, err = h.Pool.Exec(t.Context(), "UPDATE search_version SET version = version + 1; UPDATE search_items SET form = form + 1; UPDATE search_postings SET word = 'lant' WHERE word = 'lanterns'")
	require.NoError(t, err)
	done, err := h.index.RebuildIndex(t.Context())
	require.NoError(t, err)
	require.False(t, done)
	require.Positive(t, h.count(t, "SELECT count(*) FROM search_postings WHERE word = 'lant'"))
	require.Equal(t, 2, h.count(t, "SELECT version FROM search_version"))
}

// bespoke are members' own, filed by their first letter.
func (h *harness) bespoke() *searchstore.BespokeStore {
	return h.index.Bespoke(func(title, _ string) ([]string, int) {
		if strings.HasPrefix(title, "A") {
			return []string{"anger"}, 55
		}
		return []string{"sleep"}, 44
	})
}

func (h *harness) tx(tb testing.TB, do func(ctx context.Context, tx pgx.Tx) error) {
	tb.Helper()
	require.NoError(tb, pgx.BeginFunc(tb.Context(), h.Pool, func(tx pgx.Tx) error { return do(tb.Context(), tx) }))
}

func TestMemberFindsOnlyTheirOwnMeditations(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.findable(t)
	b := h.bespoke()
	mine, theirs, id := uuid.New(), uuid.New(), uuid.New()
	for uid, id := range map[uuid.UUID]uuid.UUID{mine: id, theirs: uuid.New()} {
		h.tx(t, func(ctx context.Context, tx pgx.Tx) error {
			return b.Completed(ctx, tx, id, uid, "An ember", 90, h.now)
		})
	}
	look := func(text string) search.Group {
		return h.search(t, search.Ask{Text: text, UID: mine.String(), Kinds: []search.Kind{search.Bespoke}}).Groups[0]
	}
	group := look("ember")
	require.Equal(t, 1, group.Total)
	require.Equal(t, id.String(), group.Matches[0].ID)
	require.Equal(t, []string{"anger"}, group.Matches[0].Categories)
	require.Empty(t, h.found(t, "ember"), "a visitor finds no meditation of a member")

	due, err := b.Claim(t.Context(), 10)
	require.NoError(t, err)
	require.Len(t, due, 2, "the scripts are to be fetched")
	again, err := b.Claim(t.Context(), 10)
	require.NoError(t, err)
	require.Empty(t, again, "by one replica")
	require.NoError(t, b.Fetched(t.Context(), searchstore.Bespoke{ID: id, UID: mine, Title: "An ember", Seconds: 90, Text: "Glow. [pause 4] Rest."}))
	require.Equal(t, "Glow. Rest.", look("glow").Matches[0].Text)

	h.tx(t, func(ctx context.Context, tx pgx.Tx) error { return b.Forget(ctx, tx, mine) })
	require.Zero(t, look("ember").Total)
	require.Equal(t, 1, h.count(t, "SELECT count(*) FROM search_items"), "the other member's stays")
	require.Zero(t, h.count(t, "SELECT count(*) FROM search_words WHERE word = 'glow'"))
}

func TestWhatNamesAnotherMemberChangesNothingOfAMeditation(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.findable(t)
	b, mine, theirs, id := h.bespoke(), uuid.New(), uuid.New(), uuid.New()
	h.tx(t, func(ctx context.Context, tx pgx.Tx) error {
		return b.Completed(ctx, tx, id, mine, "An ember", 90, h.now)
	})
	later := h.now.Add(time.Minute)
	h.tx(t, func(ctx context.Context, tx pgx.Tx) error { return b.Deleted(ctx, tx, id, theirs, later) })
	h.tx(t, func(ctx context.Context, tx pgx.Tx) error { return b.Gone(ctx, tx, id, theirs, later) })
	require.NoError(t, b.Fetched(t.Context(), searchstore.Bespoke{ID: id, UID: theirs, Title: "A comet", Text: "Fall."}))
	group := h.search(t, search.Ask{Text: "ember", UID: mine.String(), Kinds: []search.Kind{search.Bespoke}}).Groups[0]
	require.Equal(t, 1, group.Total)
	require.Empty(t, group.Matches[0].Text)
}

func TestEventsOfAMeditationMayComeInAnyOrder(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.findable(t)
	b, uid := h.bespoke(), uuid.New()
	type step func(ctx context.Context, tx pgx.Tx, id uuid.UUID) error
	completed := func(ctx context.Context, tx pgx.Tx, id uuid.UUID) error {
		return b.Completed(ctx, tx, id, uid, "Comet", 60, h.now)
	}
	deleted := func(ctx context.Context, tx pgx.Tx, id uuid.UUID) error {
		return b.Deleted(ctx, tx, id, uid, h.now.Add(time.Minute))
	}
	recovered := func(ctx context.Context, tx pgx.Tx, id uuid.UUID) error {
		return b.Recovered(ctx, tx, id, uid, h.now.Add(2*time.Minute))
	}
	gone := func(ctx context.Context, tx pgx.Tx, id uuid.UUID) error {
		return b.Gone(ctx, tx, id, uid, h.now.Add(3*time.Minute))
	}
	for name, c := range map[string]struct {
		steps []step
		want  int
	}{
		"completed": {[]step{completed}, 1}, "deleted": {[]step{completed, deleted}, 0}, "deleted first": {[]step{deleted, completed}, 0},
		"gone after it was deleted": {[]step{completed, deleted, gone}, 0},
		"recovered":                 {[]step{completed, deleted, recovered}, 1}, "recovered before deleted": {[]step{completed, recovered, deleted}, 1},
		"completed last": {[]step{deleted, recovered, completed}, 1}, "gone": {[]step{completed, gone}, 0}, "gone first": {[]step{gone, completed, recovered}, 0},
	} {
		id := uuid.New()
		for _, s := range c.steps {
			h.tx(t, func(ctx context.Context, tx pgx.Tx) error { return s(ctx, tx, id) })
		}
		require.Equal(t, c.want, h.count(t, "SELECT count(*) FROM search_items WHERE id = $1 AND NOT marked", id.String()), name)
	}
	require.Equal(t, 2, h.count(t, "SELECT count(*) FROM search_items WHERE marked"), "the two that were deleted last, in whichever order the events came")
}

func TestWhatIsMarkedDeletedIsFoundAmongTheseAlone(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.findable(t)
	b, uid, id := h.bespoke(), uuid.New(), uuid.New()
	do := func(of func(ctx context.Context, tx pgx.Tx, id, uid uuid.UUID, at time.Time) error) {
		h.now = h.now.Add(time.Minute)
		h.tx(t, func(ctx context.Context, tx pgx.Tx) error { return of(ctx, tx, id, uid, h.now) })
	}
	found := func(text string, marked bool, of uuid.UUID) int {
		return h.search(t, search.Ask{Text: text, UID: of.String(), Marked: marked, Kinds: []search.Kind{search.Bespoke}}).Groups[0].Total
	}
	h.tx(t, func(ctx context.Context, tx pgx.Tx) error {
		return b.Completed(ctx, tx, id, uid, "An ember", 90, h.now)
	})
	require.NoError(t, b.Fetched(t.Context(), searchstore.Bespoke{ID: id, UID: uid, Title: "An ember", Text: "Glow."}))
	require.Equal(t, []int{1, 0}, []int{found("glow", false, uid), found("glow", true, uid)})
	do(b.Deleted)
	require.Equal(t, []int{0, 1}, []int{found("glow", false, uid), found("glow", true, uid)}, "its script too")
	require.Equal(t, 1, found("embre", true, uid), "a typing error is forgiven")
	require.Zero(t, found("ember", true, uuid.New()), "it is nobody else's")
	all := h.search(t, search.Ask{Text: "lanterns", UID: uid.String(), Marked: true, Kinds: search.Kinds})
	for _, group := range all.Groups {
		require.Zero(t, group.Total, "%s: everything else is left out", group.Kind)
	}
	do(b.Recovered)
	require.Equal(t, []int{1, 0}, []int{found("glow", false, uid), found("glow", true, uid)})
	do(b.Deleted)
	do(b.Gone)
	require.Equal(t, []int{0, 0}, []int{found("ember", false, uid), found("ember", true, uid)})
	require.Zero(t, h.count(t, "SELECT count(*) FROM search_words WHERE word = 'glow'"))
}

func TestAScriptThatCannotBeFetchedIsTriedAgainAndOneThatIsNotThereIsNotFound(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.findable(t)
	b, uid, id := h.bespoke(), uuid.New(), uuid.New()
	h.tx(t, func(ctx context.Context, tx pgx.Tx) error {
		return b.Completed(ctx, tx, id, uid, "Comet", 60, h.now)
	})
	require.NoError(t, b.Missed(t.Context(), id, h.now.Add(time.Minute)))
	due, err := b.Claim(t.Context(), 10)
	require.NoError(t, err)
	require.Empty(t, due)
	h.now = h.now.Add(time.Minute)
	due, err = b.Claim(t.Context(), 10)
	require.NoError(t, err)
	require.Equal(t, 1, due[0].Attempts)
	require.NoError(t, b.Missed(t.Context(), id, time.Time{}))
	require.Zero(t, h.count(t, "SELECT count(*) FROM search_items"))
	require.NoError(t, b.Fetched(t.Context(), due[0]))
	require.Zero(t, h.count(t, "SELECT count(*) FROM search_items"), "it stays away until it is recovered")
}

func TestNothingIsKeptOfAMemberWhoseAccountIsDeletedHoweverEventsCome(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.findable(t)
	b := h.bespoke()
	steps := []func(ctx context.Context, tx pgx.Tx, id, uid uuid.UUID) error{
		func(ctx context.Context, tx pgx.Tx, id, uid uuid.UUID) error {
			return b.Completed(ctx, tx, id, uid, "Comet", 60, h.now)
		},
		func(ctx context.Context, tx pgx.Tx, id, uid uuid.UUID) error {
			return b.Deleted(ctx, tx, id, uid, h.now.Add(time.Minute))
		},
		func(ctx context.Context, tx pgx.Tx, _, uid uuid.UUID) error { return b.Forget(ctx, tx, uid) },
	}
	for order := range 3 * 3 * 3 * 3 * 3 { // five events, so that each comes twice or not at all in some of them
		id, uid, forgotten := uuid.New(), uuid.New(), false
		for n, left := 0, order; n < 5; n, left = n+1, left/3 {
			h.tx(t, func(ctx context.Context, tx pgx.Tx) error { return steps[left%3](ctx, tx, id, uid) })
			forgotten = forgotten || left%3 == 2
		}
		if !forgotten {
			h.tx(t, func(ctx context.Context, tx pgx.Tx) error { return b.Forget(ctx, tx, uid) })
		}
		require.NoError(t, b.Fetched(t.Context(), searchstore.Bespoke{ID: id, UID: uid, Title: "Comet"}), "a script that was being fetched meanwhile")
		require.NoError(t, b.Fill(t.Context(), uid, ""))
	}
	require.Zero(t, h.count(t, "SELECT count(*) FROM search_bespoke"))
	require.Zero(t, h.count(t, "SELECT count(*) FROM search_items"))
	require.Zero(t, h.count(t, "SELECT count(*) FROM search_members"))
	require.Equal(t, 2*243, testkit.Retain(t, h.Pool, store.Retention(), h.now.Add(90*24*time.Hour)), "for the release before a deletion is noted twice")
}

func TestOfAMeditationThatIsGoneNoTitleIsKept(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.findable(t)
	b, uid, id := h.bespoke(), uuid.New(), uuid.New()
	h.tx(t, func(ctx context.Context, tx pgx.Tx) error { return b.Completed(ctx, tx, id, uid, "Comet", 60, h.now) })
	h.tx(t, func(ctx context.Context, tx pgx.Tx) error { return b.Gone(ctx, tx, id, uid, h.now.Add(time.Minute)) })
	require.Equal(t, 1, h.count(t, "SELECT count(*) FROM search_bespoke"), "it is remembered, so that a late event does not bring it back")
	require.Zero(t, h.count(t, "SELECT count(*) FROM search_bespoke WHERE title <> ''"))
}

func TestARenamedMeditationIsFoundByItsNewTitle(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.findable(t)
	b, uid := h.bespoke(), uuid.New()
	type step func(ctx context.Context, tx pgx.Tx, id uuid.UUID) error
	completed := func(ctx context.Context, tx pgx.Tx, id uuid.UUID) error {
		return b.Completed(ctx, tx, id, uid, "Comet", 60, h.now)
	}
	renamed := func(ctx context.Context, tx pgx.Tx, id uuid.UUID) error {
		return b.Renamed(ctx, tx, id, uid, h.now.Add(time.Minute))
	}
	deleted := func(ctx context.Context, tx pgx.Tx, id uuid.UUID) error {
		return b.Deleted(ctx, tx, id, uid, h.now.Add(2*time.Minute))
	}
	for name, c := range map[string]struct {
		steps  []step
		marked bool
	}{
		"afterwards": {[]step{completed, renamed}, false}, "before its completion": {[]step{renamed, completed}, false}, "alone": {[]step{renamed}, false},
		"deleted meanwhile": {[]step{completed, deleted, renamed}, true}, "deleted then": {[]step{completed, renamed, deleted}, true},
		"deleted before its event": {[]step{deleted, renamed}, true},
	} {
		id := uuid.New()
		for _, s := range c.steps {
			h.tx(t, func(ctx context.Context, tx pgx.Tx) error { return s(ctx, tx, id) })
		}
		due, err := b.Claim(t.Context(), 10)
		require.NoError(t, err)
		require.Len(t, due, 1, name)
		require.NoError(t, b.Fetched(t.Context(), searchstore.Bespoke{ID: id, UID: uid, Title: "Meadow", Text: "Fall."}))
		for text, want := range map[string]int{"meadow": 1, "comet": 0} {
			require.Equal(t, want, h.search(t, search.Ask{Text: text, UID: uid.String(), Marked: c.marked, Kinds: []search.Kind{search.Bespoke}}).Groups[0].Total, "%s: %s", name, text)
		}
		h.tx(t, func(ctx context.Context, tx pgx.Tx) error { return b.Gone(ctx, tx, id, uid, h.now.Add(time.Hour)) })
	}
}

func TestOfAMeditationThatGenerationDoesNotKnowNoTitleIsKept(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.findable(t)
	b, uid, id := h.bespoke(), uuid.New(), uuid.New()
	h.tx(t, func(ctx context.Context, tx pgx.Tx) error { return b.Completed(ctx, tx, id, uid, "Comet", 60, h.now) })
	require.NoError(t, b.Missed(t.Context(), id, time.Time{}))
	require.Zero(t, h.count(t, "SELECT count(*) FROM search_bespoke WHERE title <> ''"))
	h.tx(t, func(ctx context.Context, tx pgx.Tx) error {
		return b.Recovered(ctx, tx, id, uid, h.now.Add(time.Minute))
	})
	due, err := b.Claim(t.Context(), 10)
	require.NoError(t, err)
	require.Len(t, due, 1, "its script is fetched again")
	require.NoError(t, b.Missed(t.Context(), id, time.Time{}))
	require.Equal(t, 1, testkit.Retain(t, h.Pool, store.Retention(), h.now.Add(91*24*time.Hour)))
}
