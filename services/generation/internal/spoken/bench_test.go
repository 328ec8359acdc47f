package spoken_test

import (
	"context"
	"runtime"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"serein.app/services/generation/internal/flite"
	"serein.app/services/generation/internal/narration"
	"serein.app/services/generation/internal/recording"
	"serein.app/services/generation/internal/script"
	"serein.app/services/generation/internal/spoken"
	"serein.app/services/sound/mp3"
)

// BenchmarkTimeout records the longest size on all processors: without the store, with an empty one, and with all sentences in
// the blob store and none in the process's memory. processor-s is all that this process took, sound-s the wait for the first segment.
func BenchmarkTimeout(b *testing.B) {
	s := newShop(b)
	studio := openStudio(b)
	real := func(ports *spoken.Ports) { ports.Synthesiser = studio.synthesiser }
	full := s.open(plenty, real)
	studio.record(b, full)
	require.Eventually(b, func() bool { return len(s.files()) == studio.sentences }, time.Minute, time.Millisecond)
	full.stop()
	b.Run("full", func(b *testing.B) {
		studio.measure(b, func() narration.Synthesiser { return s.open(plenty, real) })
		b.ReportMetric(float64(s.bytes())/float64(studio.sentences), "B/sentence")
	})
	b.Run("empty", func(b *testing.B) {
		studio.measure(b, func() narration.Synthesiser {
			require.NoError(b, s.open(0).Sweep(b.Context()))
			return s.open(plenty, real)
		})
	})
	b.Run("without", func(b *testing.B) {
		studio.measure(b, func() narration.Synthesiser { return studio.synthesiser })
	})
}

// studio records a Timeout with the real synthesiser and encoder.
type studio struct {
	synthesiser *flite.Synthesiser
	codec       *mp3.Codec
	script      recording.Script
	sentences   int
}

func openStudio(b *testing.B) studio {
	b.Helper()
	synthesiser, err := flite.Open(b.Context(), part(b, "flite.wasm"), "")
	require.NoError(b, err)
	b.Cleanup(func() { require.NoError(b, synthesiser.Close(context.Background())) })
	codec, err := mp3.Open(b.Context(), part(b, "mp3.wasm"), "")
	require.NoError(b, err)
	b.Cleanup(func() { require.NoError(b, codec.Close(context.Background())) })
	timeout, err := script.Compose(script.Request{
		Title: "1", TypeID: "stress-relief", PracticeID: "mbsr", SizeID: "timeout", Seed: 1, // a title that is not spoken
		Affirmations: []string{"I can put this down for now.", "My body knows how to rest.", "There is time for me in this day."},
		MinWords:     900, MaxWords: 950, Breaks: 28, PauseSeconds: 90,
	})
	require.NoError(b, err)
	s := studio{synthesiser: synthesiser, codec: codec, script: timeout}
	for _, p := range timeout.Passages {
		s.sentences += len(p.Sentences)
	}
	return s
}

// record gives the time until the first segment.
func (s studio) record(b *testing.B, voice narration.Synthesiser) (first time.Duration) {
	b.Helper()
	began := time.Now()
	recorder, err := narration.New(narration.Synthesisers{"flite": voice}, s.codec, runtime.GOMAXPROCS(0))
	require.NoError(b, err)
	err = recorder.Record(b.Context(), "maren", s.script, 0, 0, func(segment recording.Segment, _ []byte) error {
		if segment.Index == 0 {
			first = time.Since(began)
		}
		return nil
	})
	require.NoError(b, err)
	return first
}

func (s studio) measure(b *testing.B, open func() narration.Synthesiser) {
	b.Helper()
	var sound, processor time.Duration
	for b.Loop() {
		b.StopTimer()
		voice := open()
		before := processorTime(b)
		b.StartTimer()
		sound += s.record(b, voice)
		b.StopTimer()
		processor += processorTime(b) - before
		b.StartTimer()
	}
	b.ReportMetric(processor.Seconds()/float64(b.N), "processor-s")
	b.ReportMetric(sound.Seconds()/float64(b.N), "sound-s")
}

// processorTime of this process.
func processorTime(b *testing.B) time.Duration {
	b.Helper()
	var used syscall.Rusage
	require.NoError(b, syscall.Getrusage(syscall.RUSAGE_SELF, &used))
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
