package narration_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"serein.app/services/generation/internal/recording"
)

// A segment holds a worker that a member may need, so none is longer than a sentence, or than what is spoken in one piece of it.
func TestInTheBackgroundEverySegmentIsASentenceOrLess(t *testing.T) {
	t.Parallel()
	r := newRecorder(t, hum{}, openCodec(t), 2)
	long := strings.Repeat("and it goes on, ", 30) + "until it ends."
	text := recording.Script{Passages: []recording.Passage{
		{Pause: 6 * time.Second},
		{Sentences: []string{"One is short.", long}, Pause: 2 * time.Second},
		{Sentences: []string{"Two is the last."}, Pause: time.Second},
	}}
	var all []recorded
	background := func(from int) {
		require.NoError(t, r.RecordInBackground(t.Context(), "wren", text, from, func(s recording.Segment, mp3 []byte) error {
			all = append(all, recorded{s, mp3})
			return nil
		}))
	}
	background(0)
	require.Len(t, all, len(r.BackgroundSegments(text)))
	require.Empty(t, all[0].Lines, "quiet")
	require.InDelta(t, 6, all[0].Duration.Seconds(), 0.06)
	require.Greater(t, len(all), 4, "the long sentence is cut")
	var said []string
	for i, s := range all {
		require.Equal(t, i, s.Index)
		if i > 0 {
			require.Len(t, s.Lines, 1)
			require.LessOrEqual(t, len(s.Lines[0].Text), 180)
			said = append(said, s.Lines[0].Text)
		}
	}
	require.Equal(t, "One is short. "+long+" Two is the last.", strings.Join(said, " "))
	require.Equal(t, 2*time.Second, all[len(all)-2].Silence)

	whole := join(all)
	kept := all[:3]
	all = nil
	background(3)
	require.Equal(t, whole, join(append(kept[:3:3], all...)), "what is gone on with is the same to the byte")
	require.NotEmpty(t, decode(t, whole))
}

// What an immersive meditation is made of: quiet, words, quiet.
func TestQuietBeforeTheFirstWordsIsHeardAsLongAsItIsAskedFor(t *testing.T) {
	t.Parallel()
	r := newRecorder(t, hum{}, openCodec(t), 2)
	var all []recorded
	text := recording.Script{Passages: []recording.Passage{
		{Pause: 6 * time.Second}, {Sentences: []string{"Let the day be over."}, Pause: time.Second}, {Sentences: []string{"Rest here."}, Pause: 4 * time.Second},
	}}
	require.NoError(t, r.RecordInBackground(t.Context(), "isla", text, 0, func(s recording.Segment, mp3 []byte) error {
		all = append(all, recorded{s, mp3})
		return nil
	}))
	heard := decode(t, join(all))
	loud := func(s float32) bool { return s > 0.01 || s < -0.01 }
	first := slices.IndexFunc(heard, loud)
	slices.Reverse(heard)
	last := slices.IndexFunc(heard, loud)
	require.InDelta(t, 6, float64(first)/24000, 0.15)
	require.InDelta(t, 4, float64(last)/24000, 0.5, "the voice's tail in the room lies in it")
}
