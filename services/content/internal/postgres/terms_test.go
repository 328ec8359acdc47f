package postgres_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/services/content/internal/entry"
)

func TestContentTypesHaveVersionsAndStayWhileTheyAreUsed(t *testing.T) {
	t.Parallel()
	h := setup(t)
	_, err := h.SetContentType(t.Context(), editor, note())
	require.ErrorIs(t, err, entry.ErrVersion)
	changed := note()
	changed.Version, changed.Name = 1, "A note"
	changed, err = h.SetContentType(t.Context(), editor, changed)
	require.NoError(t, err)
	require.Equal(t, 2, changed.Version)
	require.Equal(t, note().Fields, changed.Fields)

	require.NoError(t, h.ApplyContentType(t.Context(), note(), []byte("new")))
	kept, err := h.ContentType(t.Context(), entry.Master, "note")
	require.NoError(t, err)
	require.Equal(t, "A note", kept.Name, "an editor's hand stays")

	h.published(t, "a", titled("A"))
	require.ErrorIs(t, h.DeleteContentType(t.Context(), entry.Master, "note"), entry.ErrTypeUsed)
	require.ErrorIs(t, h.DeleteContentType(t.Context(), entry.Master, "none"), entry.ErrTypeNotFound)
	broken := note()
	broken.ID, broken.Fields[0].Type = "other", "Sound"
	_, err = h.SetContentType(t.Context(), editor, broken)
	require.ErrorIs(t, err, entry.ErrTypeInvalid)
}

func TestTagsHaveNamesOfTheirOwnAndVersions(t *testing.T) {
	t.Parallel()
	h := setup(t)
	tag, err := h.SetTag(t.Context(), entry.Master, entry.Tag{ID: "calm", Name: "Calm"})
	require.NoError(t, err)
	_, err = h.SetTag(t.Context(), entry.Master, entry.Tag{ID: "other", Name: "Calm"})
	require.ErrorIs(t, err, entry.ErrTermInvalid)
	tag.Name = "Quiet"
	renamed, err := h.SetTag(t.Context(), entry.Master, tag)
	require.NoError(t, err)
	require.Equal(t, 2, renamed.Version)
	_, err = h.SetTag(t.Context(), entry.Master, tag)
	require.ErrorIs(t, err, entry.ErrVersion)
	tags, err := h.Tags(t.Context(), entry.Master, "", 10)
	require.NoError(t, err)
	require.Equal(t, []entry.Tag{renamed}, tags)
	require.NoError(t, h.DeleteTag(t.Context(), entry.Master, "calm"))
	require.ErrorIs(t, h.DeleteTag(t.Context(), entry.Master, "calm"), entry.ErrNotFound)
}

func TestConceptsNeverLieBelowThemselves(t *testing.T) {
	t.Parallel()
	h := setup(t)
	label := map[string]string{"en-GB": "A label"}
	_, err := h.SetConceptScheme(t.Context(), entry.ConceptScheme{ID: "moods", PrefLabel: label})
	require.NoError(t, err)
	top, err := h.SetConcept(t.Context(), entry.Concept{ID: "calm", Scheme: "moods", PrefLabel: label, Top: true})
	require.NoError(t, err)
	_, err = h.SetConcept(t.Context(), entry.Concept{ID: "quiet", Scheme: "moods", PrefLabel: label, Broader: []string{"calm"}})
	require.NoError(t, err)
	_, err = h.SetConcept(t.Context(), entry.Concept{ID: "hush", Scheme: "moods", Broader: []string{"quiet"}})
	require.NoError(t, err)
	top.Broader = []string{"hush"}
	_, err = h.SetConcept(t.Context(), top)
	require.ErrorIs(t, err, entry.ErrTermInvalid)
	_, err = h.SetConcept(t.Context(), entry.Concept{ID: "lost", Scheme: "none"})
	require.ErrorIs(t, err, entry.ErrNotFound)
	concepts, err := h.Concepts(t.Context(), "moods", "", 10)
	require.NoError(t, err)
	require.Len(t, concepts, 3)
	require.Equal(t, []string{"quiet"}, concepts[1].Broader)
}

func TestLocalesComeWithTheirFallback(t *testing.T) {
	t.Parallel()
	h := setup(t)
	english := entry.Locale{Code: "en-GB", Name: "English (United Kingdom)", Default: true}
	require.NoError(t, h.MirrorLocales(t.Context(), entry.Locales{english, {Code: "cy", Name: "Cymraeg", Fallback: "en-GB"}}))
	require.Error(t, h.MirrorLocales(t.Context(), entry.Locales{english, {Code: "fr", Name: "Français", Fallback: "none"}}))
	locales, err := h.Locales(t.Context(), entry.Master)
	require.NoError(t, err)
	require.Equal(t, []string{"cy", "en-GB"}, locales.Chain("cy"))
	require.Equal(t, "en-GB", locales.Default())
}
