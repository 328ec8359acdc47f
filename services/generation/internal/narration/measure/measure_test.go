package measure_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/services/generation/internal/narration/dsp"
	"serein.app/services/generation/internal/narration/measure"
	"serein.app/services/testkit/signal"
)

// voice is a tone with harmonics whose pitch swings around hz by so many semitones.
func voice(hz, semitones float64) []float32 {
	out := make([]float32, 4*dsp.Rate)
	var phase float64
	for i := range out {
		now := hz * math.Exp2(semitones/12*math.Sin(2*math.Pi*0.5*float64(i)/dsp.Rate))
		phase += 2 * math.Pi * now / dsp.Rate
		for k := 1.0; k <= 8; k++ {
			out[i] += float32(0.1 / k * math.Sin(k*phase))
		}
	}
	return out
}

func noise(amplitude float32, n int) []float32 {
	r := rand.New(rand.NewPCG(1, 2))
	out := make([]float32, n)
	for i := range out {
		out[i] = amplitude * (2*r.Float32() - 1)
	}
	return out
}

func TestPitchAndItsMovementAreFound(t *testing.T) {
	t.Parallel()
	for _, hz := range []float64{90, 120, 170, 240} {
		median, deviation, spread := measure.Movement(measure.Pitch(voice(hz, 3)))
		require.InDelta(t, hz, median, hz*0.03)
		require.InDelta(t, 3/math.Sqrt2, deviation, 0.1, "of a sine: its amplitude over the root of two")
		require.InDelta(t, 6, spread, 0.3)
	}
	median, _, _ := measure.Movement(measure.Pitch(noise(0.3, 2*dsp.Rate)))
	require.Zero(t, median, "noise has no pitch")
}

func TestTheSpectrumIsComparedWithThatOfSpeech(t *testing.T) {
	t.Parallel()
	white := measure.AgainstSpeech(noise(0.3, 20*dsp.Rate))
	require.InDelta(t, 10*math.Log10(4)-(46.8-53.7), white[15]-white[10]+2, 2.5, "two octaves up, white noise has four times the power in a third")
	boosted := noise(0.3, 20*dsp.Rate)
	f := dsp.Peak(2500, 1, 6)
	f.Apply(boosted)
	after := measure.AgainstSpeech(boosted)
	require.InDelta(t, 6, (after[14]-after[5])-(white[14]-white[5]), 0.3)
	require.InDelta(t, math.Abs(white[10]), measure.Worst(white), 20)
}

func TestSharpSibilantsAreSeen(t *testing.T) {
	t.Parallel()
	sibilant := func(db float64) []float32 {
		s := noise(1, dsp.Rate)
		for _, q := range []float64{0.5412, 1.3066} {
			f := dsp.HighPass(5000, q)
			f.Apply(s)
		}
		dsp.Gain(s, db-signal.Level(s))
		return s
	}
	vowel := voice(150, 1)
	loud := signal.Level(vowel)
	require.InDelta(t, -3, measure.Sibilants(append(vowel, sibilant(loud-3)...)), 1)
	require.InDelta(t, -9, measure.Sibilants(append(vowel, sibilant(loud-9)...)), 1)
}

func TestNoiseInAVoiceLowersItsHarmonicity(t *testing.T) {
	t.Parallel()
	clean, breathy := voice(150, 0), voice(150, 0)
	for i, n := range noise(0.05, len(breathy)) {
		breathy[i] += n
	}
	want := signal.Level(clean) - signal.Level(noise(0.05, len(clean)))
	require.InDelta(t, want, measure.Harmonicity(breathy, 0), 2)
	require.Greater(t, measure.Harmonicity(clean, 0), 25.0)
}

func TestTheFloorOfASilence(t *testing.T) {
	t.Parallel()
	quiet := noise(0.001, dsp.Rate)
	clear(quiet[4800:5800])
	quietest, median := measure.Floor(quiet)
	require.Less(t, quietest, -190.0)
	require.InDelta(t, signal.Level(noise(0.001, dsp.Rate)), median, 0.5)
}
