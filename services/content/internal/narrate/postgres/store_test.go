package postgres_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"serein.app/services/content/internal/narrate"
	narratestore "serein.app/services/content/internal/narrate/postgres"
)

func TestALengthIsInTheSecondsThatAPlayerShows(t *testing.T) {
	t.Parallel()
	fields := narratestore.SoundFields("en-GB", "a.mp3", 5*time.Minute+54*time.Second+900*time.Millisecond, "hash")
	require.Equal(t, map[string]any{"en-GB": 354.0}, fields["duration"])
}

func TestWhatIsNarratedIsWantedAgainOnlyWhereItHasLostItsSoundAndNothingIsWrittenElse(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.article(t, "a", "A")
	hash := strings.Repeat("a", 32)
	want := narrate.Want{Key: key("a"), Place: 2, Hash: hash, Done: true}
	require.NoError(t, h.Want(t.Context(), want))
	require.NoError(t, h.Want(t.Context(), want))
	require.Zero(t, h.count(t, "SELECT count(*) FROM narrations WHERE xmax <> 0"), "not even a lock")
	_, ok, err := h.Next(t.Context(), "")
	require.NoError(t, err)
	require.False(t, ok)

	want.Done = false // the words are the same, but the entry names no sound
	require.NoError(t, h.Want(t.Context(), want))
	j, ok, err := h.Next(t.Context(), "")
	require.NoError(t, err)
	require.True(t, ok)
	require.Equal(t, hash, j.Hash)
	require.NoError(t, h.Progress(t.Context(), j, 1, 3))
	require.NoError(t, h.Want(t.Context(), want))
	require.Equal(t, 1, h.count(t, "SELECT passages_done FROM narrations"), "what is under way goes on")
	want.Place = 0
	require.NoError(t, h.Want(t.Context(), want))
	require.Zero(t, h.count(t, "SELECT place FROM narrations"))
}
