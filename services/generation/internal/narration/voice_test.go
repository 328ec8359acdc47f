package narration_test

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"serein.app/services/generation/internal/flite"
	"serein.app/services/generation/internal/narration"
	"serein.app/services/sound/loudness"
	"serein.app/services/testkit"
)

func openFlite(tb testing.TB) *flite.Synth {
	tb.Helper()
	code, err := os.ReadFile(testkit.Part(tb, "flite.wasm"))
	require.NoError(tb, err)
	s, err := flite.Open(tb.Context(), code, "")
	require.NoError(tb, err)
	return s
}

var calm = []narration.Passage{
	{Sentences: []string{
		"Welcome to this quiet moment, a small space that is only yours.",
		"Let your shoulders soften, and allow your hands to rest.",
		"There is nothing to fix, and nowhere else to be.",
	}, Pause: 2 * time.Second},
	{Sentences: []string{"Notice the small pause at the end of each breath.", "You do not have to make it longer, only to meet it."}, Pause: 2 * time.Second},
}

func TestEveryNarratorIsCalmAndStandsAtTheSameLoudness(t *testing.T) {
	t.Parallel()
	n := narration.New(openFlite(t), openCodec(t), 2)
	for _, voice := range narration.Voices() {
		t.Run(voice.ID, func(t *testing.T) {
			t.Parallel()
			segments := record(t, n, voice, calm, 0, 0)
			sound := decode(t, join(segments))
			require.InDelta(t, -19, loudness.Integrated(24000, sound), 0.7)
			require.Less(t, loudness.TruePeak(sound), -1.0)
			require.InDelta(t, voice.WordsPerMinute, pace(segments), 6)
			require.InDelta(t, 118, voice.WordsPerMinute, 8, "calm")
		})
	}
}

// pace in words a minute while speaking: planned silences do not count, breaths do.
func pace(segments []narration.Segment) float64 {
	var words int
	var spoken time.Duration
	for _, s := range segments {
		spoken += s.Duration
		if s.Silence >= time.Second {
			spoken -= s.Silence
		}
		for _, l := range s.Lines {
			words += len(strings.Fields(l.Text))
		}
	}
	return float64(words) / spoken.Minutes()
}

func TestNarratorsAreFoundByName(t *testing.T) {
	t.Parallel()
	ids := map[string]bool{}
	for _, v := range narration.Voices() {
		ids[v.ID] = true
		require.NotEmpty(t, v.Name)
		require.Equal(t, v.ID, narration.VoiceFor(v.ID, true).ID)
	}
	require.Len(t, ids, 6)
	for _, id := range []string{"", "nobody", "MAREN"} {
		require.Equal(t, "maren", narration.VoiceFor(id, false).ID)
		require.Equal(t, "isla", narration.VoiceFor(id, true).ID)
	}
}

// BenchmarkNarrate narrates about a minute with both workers; audio-s/s is how much faster
// than listening that is. Compare with BenchmarkSpeak (the synthesiser alone) and the
// encoder's own benchmark.
func BenchmarkNarrate(b *testing.B) {
	n := narration.New(openFlite(b), openCodec(b), 2)
	var audio time.Duration
	for b.Loop() {
		for _, s := range record(b, n, narration.VoiceFor("maren", false), append(calm, calm...), 0, 0) {
			audio += s.Duration
		}
	}
	b.ReportMetric(audio.Seconds()/b.Elapsed().Seconds(), "audio-s/s")
}

// BenchmarkFirstSegment is the wait for the first sound of a script, everything warm.
func BenchmarkFirstSegment(b *testing.B) {
	n := narration.New(openFlite(b), openCodec(b), 2)
	for b.Loop() {
		record(b, n, narration.VoiceFor("maren", false), []narration.Passage{{Sentences: calm[0].Sentences[:1], Pause: time.Second}}, 0, 0)
	}
}
