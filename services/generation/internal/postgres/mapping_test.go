package postgres

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"serein.app/services/generation/internal/recording"
)

// After a restart, too, no sentence of a member's may be kept for others.
func TestAStoredScriptStillSaysWhichSentencesAreAMembers(t *testing.T) {
	t.Parallel()
	passages := []recording.Passage{{Sentences: []string{"Rest.", "For Amara."}, Common: []bool{true, false}, Pause: time.Second}, {Pause: time.Second}}
	data, err := fromPassages(passages)
	require.NoError(t, err)
	stored, err := toPassages(data)
	require.NoError(t, err)
	require.Equal(t, passages, stored)

	older, err := toPassages([]byte(`[{"sentences": ["Rest."], "pause_us": 1000000}]`))
	require.NoError(t, err)
	require.False(t, older[0].IsCommon(0), "what an earlier release wrote says nothing about its sentences")
}
