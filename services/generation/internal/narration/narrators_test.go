package narration_test

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"serein.app/services/generation/internal/flite"
	"serein.app/services/generation/internal/recording"
	"serein.app/services/sound/loudness"
	"serein.app/services/testkit"
)

func openFlite(tb testing.TB) *flite.Synthesiser {
	tb.Helper()
	code, err := os.ReadFile(testkit.Part(tb, "flite.wasm"))
	require.NoError(tb, err)
	s, err := flite.Open(tb.Context(), code, "")
	require.NoError(tb, err)
	return s
}

var calm = recording.Script{Passages: []recording.Passage{
	{Sentences: []string{
		"Welcome to this quiet moment, a small space that is only yours.",
		"Let your shoulders soften, and allow your hands to rest.",
		"There is nothing to fix, and nowhere else to be.",
	}, Pause: 2 * time.Second},
	{Sentences: []string{"Notice the small pause at the end of each breath.", "You do not have to make it longer, only to meet it."}, Pause: 2 * time.Second},
}}

func TestEveryNarratorIsCalmAndStandsAtTheSameLoudness(t *testing.T) {
	t.Parallel()
	n := newRecorder(t, openFlite(t), openCodec(t), 2)
	for _, narrator := range n.Narrators() {
		t.Run(narrator.ID, func(t *testing.T) {
			t.Parallel()
			segments := record(t, n, narrator.ID, calm, 0, 0)
			sound := decode(t, join(segments))
			require.InDelta(t, -19, loudness.Integrated(24000, sound), 0.7)
			require.Less(t, loudness.TruePeak(sound), -1.0)
			require.InDelta(t, narrator.WordsPerMinute, pace(segments), 6)
			require.InDelta(t, 118, narrator.WordsPerMinute, 8, "calm")
		})
	}
}

// pace in words a minute while speaking: planned silences and the bell do not count, breaths do.
func pace(segments []recorded) float64 {
	var words int
	var spoken time.Duration
	for _, s := range segments {
		spoken += s.Lines[len(s.Lines)-1].End - s.Lines[0].Start
		if s.Silence < time.Second {
			spoken += s.Silence
		}
		for _, l := range s.Lines {
			words += len(strings.Fields(l.Text))
		}
	}
	return float64(words) / spoken.Minutes()
}

func TestNarratorsAreFoundByTheirID(t *testing.T) {
	t.Parallel()
	r := newRecorder(t, hum{}, openCodec(t), 1)
	ids := map[string]bool{}
	for _, n := range r.Narrators() {
		ids[n.ID] = true
		require.NotEmpty(t, n.Name)
		found, known := r.Narrator(n.ID)
		require.True(t, known)
		require.Equal(t, n, found)
	}
	require.Len(t, ids, 6)
	for _, id := range []string{"", "nobody", "MAREN"} {
		_, known := r.Narrator(id)
		require.False(t, known, id)
	}
	require.Equal(t, "maren", r.DefaultNarrator(false).ID)
	require.Equal(t, "isla", r.DefaultNarrator(true).ID)
}

func TestAnUnknownNarratorIsSpokenByTheDefault(t *testing.T) {
	t.Parallel()
	r := newRecorder(t, hum{}, openCodec(t), 1)
	require.Equal(t, record(t, r, "maren", script, 0, 0), record(t, r, "who left", script, 0, 0))
}

// BenchmarkRecord records about a minute with both workers; audio-s/s is how much faster
// than listening that is. Compare with BenchmarkSpeak (the synthesiser alone) and the
// encoder's own benchmark.
func BenchmarkRecord(b *testing.B) {
	n := newRecorder(b, openFlite(b), openCodec(b), 2)
	var audio time.Duration
	for b.Loop() {
		for _, s := range record(b, n, "maren", recording.Script{Passages: append(calm.Passages, calm.Passages...)}, 0, 0) {
			audio += s.Duration
		}
	}
	b.ReportMetric(audio.Seconds()/b.Elapsed().Seconds(), "audio-s/s")
}

// BenchmarkFirstSegment is the wait for the first sound of a script, everything warm.
func BenchmarkFirstSegment(b *testing.B) {
	n := newRecorder(b, openFlite(b), openCodec(b), 2)
	for b.Loop() {
		record(b, n, "maren", recording.Script{Passages: []recording.Passage{{Sentences: calm.Passages[0].Sentences[:1], Pause: time.Second}}}, 0, 0)
	}
}
