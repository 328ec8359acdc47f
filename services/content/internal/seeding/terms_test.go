package seeding_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/services/content/internal/entry"
)

// labels are the tags and concepts that readers get of an entry.
func (h *harness) labels(t *testing.T, id string) [][]string {
	t.Helper()
	p, err := h.store.Published(t.Context(), key(id))
	require.NoError(t, err)
	return [][]string{p.Tags, p.Concepts}
}

func TestAnEntryHasTheTagsThatItsFileNamesAndTheConceptsOfItsCategories(t *testing.T) {
	t.Parallel()
	h := setup(t)
	_, err := h.apply(t)
	good(t, err)
	require.Equal(t, [][]string{{"calm"}, {"better-sleep", "anger"}}, h.labels(t, "first"))
	h.write("articles/first.md", "---\ntitle: First\ncategories: [Anger]\nopen: true\n---\n\nThe body.\n")
	applied, err := h.apply(t)
	good(t, err)
	require.Equal(t, 1, applied)
	require.Equal(t, [][]string{{}, {"anger"}}, h.labels(t, "first"))
}

func TestAChangedFileRenamesItsTermsOnceAndAnotherStartChangesNone(t *testing.T) {
	t.Parallel()
	h := setup(t)
	for range 2 {
		_, err := h.apply(t)
		good(t, err)
	}
	h.write("tags.yaml", "- id: calm\n  name: Quiet\n")
	h.write("taxonomy.yaml", "- id: categories\n  name: Themes\n  concepts:\n    - {id: better-sleep, name: Sleep}\n    - {id: anger, name: Anger}\n    - {id: fury, name: Fury, broader: [better-sleep]}\n")
	for range 2 {
		_, err := h.apply(t)
		good(t, err)
	}
	tags, err := h.store.Tags(t.Context(), entry.Master, "", 10)
	require.NoError(t, err)
	require.Equal(t, []any{"Quiet", 2}, []any{tags[0].Name, tags[0].Version})
	concepts, err := h.store.Concepts(t.Context(), "categories", "", 10)
	require.NoError(t, err)
	require.Equal(t, []int{1, 2, 2}, []int{concepts[0].Version, concepts[1].Version, concepts[2].Version})
	require.Equal(t, []string{"better-sleep"}, concepts[2].Broader)
	require.Equal(t, "Sleep", concepts[1].PrefLabel["en-GB"])
	require.Equal(t, 1, h.count(t, "SELECT count(*) FROM concept_schemes WHERE version = 2"))
}
