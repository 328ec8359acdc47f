package narration

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"serein.app/services/generation/internal/narration/dsp"
	"serein.app/services/sound/loudness"
	"serein.app/services/testkit/signal"
)

// abrupt is speech that begins and ends at full strength.
func abrupt() Speech {
	samples := make([]float32, 16000)
	for i := range samples {
		samples[i] = float32(0.4 * math.Cos(2*math.Pi*300*float64(i)/16000))
	}
	return Speech{Samples: samples, Rate: 16000}
}

func TestASentenceBeginsFromSilenceAndStandsInARoom(t *testing.T) {
	t.Parallel()
	all, err := newCast(narratorsFile, Synthesisers{"flite": mute{}})
	require.NoError(t, err)
	for _, n := range all.narrators {
		out := n.applyEffects(abrupt())
		require.Less(t, math.Abs(float64(out[0])), 0.002, "%s: it fades in", n.ID)
		after := out[len(out)-tail:]
		require.InDelta(t, -45, signal.Level(after[:dsp.Rate/20]), 12, "%s: the room answers", n.ID)
		require.Less(t, signal.Level(after[len(after)-dsp.Rate/20:]), -75.0, "%s: and is silent soon", n.ID)
	}
}

func TestASegmentKeepsUnderTheCeiling(t *testing.T) {
	t.Parallel()
	m := newMix(time.Second)
	loud := signal.Sine(dsp.Rate, 440, 1.4, dsp.Rate)
	dsp.FadeIn(loud, 480)
	m.add("Loud.", [][]float32{append(loud, make([]float32, tail)...)})
	require.LessOrEqual(t, loudness.TruePeak(m.finish(false)), ceiling+0.1)
}
