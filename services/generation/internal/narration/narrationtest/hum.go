// Package narrationtest is a synthesiser inside the test. Production code must not import it.
package narrationtest

import (
	"context"
	"math"
	"strings"

	"serein.app/services/generation/internal/narration"
)

// Hum is a synthesiser that has every voice and hums at 200 Hz: 120 ms a word, with a quarter of a second of silence before and after.
type Hum struct {
	// Before, if set, is called before each utterance; its error is that of Speak.
	Before func(ctx context.Context, u narration.Utterance) error
}

var _ narration.Synthesiser = Hum{}

// HasVoice implements narration.Synthesiser.
func (Hum) HasVoice(string) bool { return true }

// Speak implements narration.Synthesiser.
func (h Hum) Speak(ctx context.Context, u narration.Utterance) (narration.Speech, error) {
	if h.Before != nil {
		if err := h.Before(ctx, u); err != nil {
			return narration.Speech{}, err
		}
	}
	const rate = 16000
	words := len(strings.Fields(u.Text))
	samples := make([]float32, words*rate*12/100+rate/2)
	for i := rate / 4; i < len(samples)-rate/4; i++ {
		t := float64(i) / rate
		samples[i] = float32(0.3 * math.Sin(2*math.Pi*200*t))
	}
	return narration.Speech{Samples: samples, Rate: rate}, nil
}
