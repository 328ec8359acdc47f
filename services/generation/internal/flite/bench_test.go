package flite

import (
	"sync/atomic"
	"testing"

	"serein.app/services/generation/internal/narration"
)

// BenchmarkSpeakOnAllCores is the most that narration can reach on this machine: sentences of
// usual length and pace, one on every core, and nothing done with the sound.
func BenchmarkSpeakOnAllCores(b *testing.B) {
	s := open(b)
	var samples atomic.Int64
	var rate atomic.Int64
	b.ResetTimer()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			speech, err := s.Speak(b.Context(), narration.Utterance{
				Text: "Let your shoulders soften, and breathe in slowly, all the way down.", Voice: "slt", Stretch: 1.5,
			})
			if err != nil {
				b.Error(err)
				return
			}
			samples.Add(int64(len(speech.Samples)))
			rate.Store(int64(speech.Rate))
		}
	})
	b.ReportMetric(float64(samples.Load())/float64(rate.Load())/b.Elapsed().Seconds(), "speech-s/s")
}
