package postgres_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/services/content/internal/entry"
	store "serein.app/services/content/internal/postgres"
)

func TestTheTrailSaysWhatAnActHasChanged(t *testing.T) {
	t.Parallel()
	h := setup(t)
	d := titled("First")
	d.Fields["slug"] = map[string]any{"en-GB": "first"}
	item := h.published(t, "a", d)
	item, err := h.Update(t.Context(), editor, key("a"), item.Version, titled("Second", "b"))
	require.NoError(t, err)
	_, err = h.Unpublish(t.Context(), editor, key("a"), item.Version)
	require.NoError(t, err)

	trail, err := h.Revisions(t.Context(), key("a"), "", 0, 10)
	require.NoError(t, err)
	require.Len(t, trail, 4)
	require.Equal(t, []string{}, trail[0].Changed)
	require.Equal(t, []string{"about", "slug", "title"}, trail[1].Changed)
	require.Equal(t, []string{}, trail[2].Changed)
	require.Equal(t, []string{"slug", "title"}, trail[3].Changed, "all that it began with")
	require.Equal(t, []any{"note", "Second", key("a"), 3}, []any{trail[1].ContentType, trail[1].Title, trail[1].Key, trail[1].Version})

	fields, err := h.FieldsOf(t.Context(), key("a"), 1)
	require.NoError(t, err)
	require.Equal(t, d.Fields, fields)
	_, err = h.FieldsOf(t.Context(), key("a"), 9)
	require.ErrorIs(t, err, entry.ErrNotFound)
}

func TestTheTrailOfEverythingIsFoundByTitleActAndActor(t *testing.T) {
	t.Parallel()
	h := setup(t)
	ben := entry.Actor{Name: "0192f0c1-0000-7000-8000-00000000000a", Editor: true}
	reports := entry.Actor{Name: "client:reports", Editor: true}
	h.published(t, "a", titled("The Kettle’s Song"))
	_, err := h.Create(t.Context(), ben, key("b"), "note", titled("An umbrella"))
	require.NoError(t, err)
	_, err = h.Create(t.Context(), reports, key("c"), "note", titled("A self-made kettle"))
	require.NoError(t, err)

	for search, want := range map[string][]string{
		"":                {"c create", "b create", "a publish", "a create"},
		"kettle":          {"c create", "a publish", "a create"},
		"KETT":            {"c create", "a publish", "a create"},
		"kettle’s song":   {"a publish", "a create"},
		"self-made":       {"c create"},
		"publish":         {"a publish"},
		"publish umbrel":  nil,
		"create amara":    {"a create"},
		ben.Name:          {"b create"},
		"0192f0c1-":       {"b create"},
		"reports kettle":  {"c create"},
		"client:rep":      {"c create"},
		`' | & ! \ :* ()`: {"c create", "b create", "a publish", "a create"},
		"ett":             nil,
		"a\x00b <-> c":    nil,
	} {
		found, err := h.AllRevisions(t.Context(), entry.Master, search, 0, 10)
		require.NoError(t, err, search)
		var acts []string
		for _, r := range found {
			acts = append(acts, r.ID+" "+r.Act)
		}
		require.Equal(t, want, acts, search)
	}
	first, err := h.AllRevisions(t.Context(), entry.Master, "", 0, 2)
	require.NoError(t, err)
	rest, err := h.AllRevisions(t.Context(), entry.Master, "", first[1].Number, 10)
	require.NoError(t, err)
	require.Len(t, rest, 2)
	own, err := h.Revisions(t.Context(), key("a"), "publish", 0, 10)
	require.NoError(t, err)
	require.Len(t, own, 1)
}

func TestDraftsAreFoundByTheBeginningsOfWordsInTheirTitles(t *testing.T) {
	t.Parallel()
	h := setup(t)
	for id, title := range map[string]string{"a": "The Long Way of a Cup of Tea", "b": "Two Boats, One Rope", "c": "Tea"} {
		_, err := h.Create(t.Context(), editor, key(id), "note", titled(title))
		require.NoError(t, err)
	}
	for search, want := range map[string]int{"te": 2, "TEA long": 1, "rope boat": 1, "ope": 0, "": 3, "it's": 0} {
		found, err := h.Drafts(t.Context(), entry.Master, "note", search, store.Newest, 10)
		require.NoError(t, err, search)
		require.Len(t, found, want, search)
	}
	item, err := h.Item(t.Context(), key("c"))
	require.NoError(t, err)
	require.Equal(t, "Tea", item.Title)
	_, err = h.Update(t.Context(), editor, key("c"), item.Version, titled("Coffee"))
	require.NoError(t, err)
	found, err := h.Drafts(t.Context(), entry.Master, "note", "coff", store.Newest, 10)
	require.NoError(t, err)
	require.Len(t, found, 1)
}

func TestEntriesAreCountedAsTheyComeAndGo(t *testing.T) {
	t.Parallel()
	h := setup(t)
	for _, id := range []string{"a", "b"} {
		_, err := h.Create(t.Context(), editor, key(id), "note", titled(id))
		require.NoError(t, err)
	}
	counts, err := h.Counts(t.Context(), entry.Master)
	require.NoError(t, err)
	require.Equal(t, map[string]int{"note": 2}, counts)
	require.NoError(t, h.Delete(t.Context(), editor, key("a"), 1))
	counts, err = h.Counts(t.Context(), entry.Master)
	require.NoError(t, err)
	require.Equal(t, map[string]int{"note": 1}, counts)
}

func TestTheTrailFindsTheSameWhetherManyOrFewHaveTheWord(t *testing.T) {
	t.Parallel()
	h := setup(t)
	_, err := h.Pool.Exec(t.Context(), `INSERT INTO revisions (environment, kind, id, version, act, actor, at, fields, superseded, content_type, title)
		SELECT 'master', 'Entry', 'e', n, CASE WHEN n % 2 = 0 THEN 'publish' WHEN n < 200 THEN 'archive' ELSE 'update' END, 'amara', now(), '{}', true, 'note', 'A title'
		FROM generate_series(1, 2500) n`)
	require.NoError(t, err)
	for word, want := range map[string]int{"title": 2500, "publish": 1250, "update": 1150, "archive": 100, "nothing": 0} {
		var versions []int
		for below := int64(0); ; {
			page, err := h.AllRevisions(t.Context(), entry.Master, word, below, 90)
			require.NoError(t, err)
			for _, r := range page {
				require.True(t, len(versions) == 0 || r.Version < versions[len(versions)-1], "the newest first, each once")
				versions, below = append(versions, r.Version), r.Number
			}
			if len(page) < 90 {
				break
			}
		}
		require.Len(t, versions, want, word)
	}
}
