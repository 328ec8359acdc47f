package narrate_test

import (
	"maps"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"serein.app/services/content/internal/entry"
	"serein.app/services/content/internal/narrate"
	store "serein.app/services/content/internal/postgres"
)

func TestWhatAnUpstreamTellsOfAgainKeepsItsNarration(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.meditation("harbour", "Breathe in.")
	h.service(true)
	h.reaches(narrate.Done, "harbour")
	before := h.readers("harbour")
	item, err := h.Item(t.Context(), key("harbour"))
	require.NoError(t, err)
	item.Fields = maps.Clone(item.Fields)
	require.NotEmpty(t, before.Fields["audio"])
	delete(item.Fields, "narrationHash")
	for id, theirs := range map[string]any{"audio": "upstream.mp3", "duration": 7.0} { // an upstream that narrates too has its own sounds
		item.Fields[id] = map[string]any{"en-GB": theirs}
	}
	item.Fields["title"] = map[string]any{"en-GB": "The old harbour"}
	item.UpdatedAt = item.UpdatedAt.Add(time.Second)
	item.Revision++
	require.NoError(t, h.Mirror(t.Context(), "upstream", store.MirrorState{Round: 1}, []store.MirrorChange{{Item: item}}, func(_ entry.Key, err error) { t.Error(err) }))
	after := h.readers("harbour")
	require.Equal(t, "The old harbour", after.Fields["title"]["en-GB"])
	require.Equal(t, before.Fields["audio"], after.Fields["audio"])
	require.Equal(t, before.Fields["duration"], after.Fields["duration"])
	require.Equal(t, before.Fields["narrationHash"], after.Fields["narrationHash"])

	item.Key, item.Fields = key("beacon"), maps.Clone(item.Fields)
	require.NoError(t, h.Mirror(t.Context(), "upstream", store.MirrorState{Round: 1}, []store.MirrorChange{{Item: item}}, func(_ entry.Key, err error) { t.Error(err) }))
	require.NotEqual(t, map[string]any{"en-GB": "upstream.mp3"}, h.readers("beacon").Fields["audio"], "nor is theirs shown until there is one")
}
