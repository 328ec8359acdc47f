package seeding_test

import (
	"errors"
	"maps"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/services/content/internal/entry"
	"serein.app/services/content/internal/seeding"
	"serein.app/services/content/seed"
	"serein.app/services/testkit"
)

// marked are few files with terms.
func marked(h *harness) {
	h.write("tags.yaml", "- {id: at-night, name: At Night}\n")
	h.write("taxonomy.yaml", `- id: subjects
  name: Subjects
  definition: What it is for.
  concepts:
    - {id: settling, name: Settling}
    - {id: better-sleep, name: Better Sleep, definition: For the night., broader: [settling]}
`)
	h.write("articles/third.md", "---\ntitle: Third\ncategories: [Better Sleep]\ntags: [At Night]\n---\nText.\n")
}

func TestEntriesHaveTheTagsThatTheirFilesNameAndTheConceptsOfTheirCategories(t *testing.T) {
	t.Parallel()
	h := setup(t)
	marked(h)
	_, err := h.apply(t)
	good(t, err)
	for range 2 {
		item, err := h.store.Published(t.Context(), key("third"))
		require.NoError(t, err)
		require.Equal(t, []string{"at-night"}, item.Tags)
		require.Equal(t, []string{"better-sleep"}, item.Concepts)
		tags, err := h.store.Tags(t.Context(), entry.Master, "", 10)
		require.NoError(t, err)
		require.Len(t, tags, 1)
		require.Equal(t, []any{"at-night", "At Night", 1}, []any{tags[0].ID, tags[0].Name, tags[0].Version})
		concepts, err := h.store.Concepts(t.Context(), "subjects", "", 10)
		require.NoError(t, err)
		require.Len(t, concepts, 2)
		sleep, settling := concepts[0], concepts[1]
		require.Equal(t, []any{[]string{"settling"}, false, 1, "For the night."}, []any{sleep.Broader, sleep.Top, sleep.Version, sleep.Definition["en-GB"]})
		require.Equal(t, []any{true, 1, "Settling"}, []any{settling.Top, settling.Version, settling.PrefLabel["en-GB"]})

		applied, err := h.apply(t) // what has not changed is not written again
		good(t, err)
		require.Zero(t, applied)
	}

	h.write("tags.yaml", "- {id: at-night, name: By Night}\n")
	h.write("articles/third.md", "---\ntitle: Third\ntags: [At Night]\n---\nText.\n")
	applied, err := h.apply(t)
	good(t, err)
	require.Equal(t, 1, applied)
	tags, err := h.store.Tags(t.Context(), entry.Master, "", 10)
	require.NoError(t, err)
	require.Equal(t, []any{"By Night", 2}, []any{tags[0].Name, tags[0].Version})
	item, err := h.store.Published(t.Context(), key("third"))
	require.NoError(t, err)
	require.Empty(t, item.Concepts)
}

func TestThreeReplicasThatStartAtOnceMakeEachTermOnce(t *testing.T) {
	t.Parallel()
	h := setup(t)
	marked(h)
	var all sync.WaitGroup
	failed := make([]error, 3)
	for i := range failed {
		all.Go(func() {
			_, failed[i] = seeding.New(h.files, h.store, (&harness{}).keep, testkit.Logger(t)).Once(t.Context())
		})
	}
	all.Wait()
	for _, err := range failed {
		good(t, err)
	}
	require.Equal(t, 1, h.count(t, "SELECT count(*) FROM tags WHERE version = 1"))
	require.Equal(t, 2, h.count(t, "SELECT count(*) FROM concepts"))
	require.Equal(t, 1, h.count(t, "SELECT count(*) FROM concept_broader"))
}

func TestABrokenTermIsNamedWithItsLine(t *testing.T) {
	t.Parallel()
	for place, broken := range map[string][2]string{
		"tags.yaml:2: the id \"at-night\" cannot be or stands here twice": {"tags.yaml", "- {id: at-night, name: A}\n- {id: at-night, name: B}\n"},
		"tags.yaml:1: the id \"a b\" cannot be":                           {"tags.yaml", "- {id: a b, name: A}\n"},
		"tags.yaml:1: this must be a list":                                {"tags.yaml", "id: a\n"},
		"taxonomy.yaml:4: no concept sleep stands above":                  {"taxonomy.yaml", "- id: a\n  name: A\n  concepts:\n    - {id: b, name: B, broader: [sleep]}\n"},
		"articles/third.md:3: there is no tag Dawn":                       {"articles/third.md", "---\ntitle: Third\ntags: [Dawn]\n---\nText\n"},
		"articles/third.md:3: tags: a list is needed here":                {"articles/third.md", "---\ntitle: Third\ntags: Dawn\n---\nText\n"},
	} {
		h := &harness{files: maps.Clone(few)}
		h.write(broken[0], broken[1])
		_, found := seeding.Read(h.files)
		require.ErrorContains(t, errors.Join(found...), place)
	}
}

// In seed/ every category is a concept of the same name, every tag is used, and every article and meditation has a concept.
func TestSeedTermsMatchSeedFiles(t *testing.T) {
	t.Parallel()
	contents, faults := seeding.Read(seed.FS)
	require.NoError(t, errors.Join(faults...))
	names, used := map[string]string{}, map[string]bool{}
	for _, c := range contents.Terms.Concepts {
		names[c.Term.ID] = c.Term.PrefLabel["en-GB"]
	}
	for _, item := range contents.Items {
		switch item.ContentType {
		case "category":
			require.Equal(t, value[string](item, "name"), names[item.ID])
		case "article", "meditation":
			require.NotEmpty(t, item.Draft.Concepts, item.ID)
		}
		for _, tag := range item.Draft.Tags {
			used[tag] = true
		}
	}
	require.Len(t, used, len(contents.Terms.Tags))
}
