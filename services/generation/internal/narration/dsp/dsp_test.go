package dsp_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"serein.app/services/generation/internal/narration/dsp"
	"serein.app/services/sound/loudness"
	"serein.app/services/testkit/signal"
)

func TestFiltersDoWhatTheySay(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name     string
		filter   dsp.Filter
		hz, want float64
	}{
		{"high-pass at its corner", dsp.HighPass(80, math.Sqrt2/2), 80, -3.01},
		{"high-pass an octave below", dsp.HighPass(80, math.Sqrt2/2), 40, -12.3},
		{"high-pass far above", dsp.HighPass(80, math.Sqrt2/2), 2000, 0},
		{"peak at its centre", dsp.Peak(3800, 1, -3), 3800, -3},
		{"peak far away", dsp.Peak(3800, 1, -3), 100, 0},
		{"shelf below", dsp.HighShelf(4000, -2.5), 200, 0},
		{"shelf above", dsp.HighShelf(4000, -2.5), 11000, -2.5},
	} {
		s := signal.Sine(dsp.Rate, c.hz, 0.5, dsp.Rate)
		before := signal.Level(s[4800:])
		c.filter.Apply(s)
		require.InDelta(t, c.want, signal.Level(s[4800:])-before, 0.1, c.name)
	}
}

func TestFiltersInARowGiveWhatEachGivesInTurn(t *testing.T) {
	t.Parallel()
	row := dsp.Filters{dsp.HighPass(78, 0.5412), dsp.Peak(260, 1.5, 5), dsp.HighShelf(6300, -3)}
	want := signal.Sine(dsp.Rate, 300, 0.5, dsp.Rate)
	for _, f := range row {
		f.Apply(want)
	}
	for range 2 { // the second time as the first
		got := signal.Sine(dsp.Rate, 300, 0.5, dsp.Rate)
		row.Apply(got)
		require.Equal(t, want, got)
	}
}

func TestTheLimiterHoldsItsCeiling(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 4000).Draw(t, "n")
		s := make([]float32, n)
		seed := rapid.Uint32().Draw(t, "seed")
		smooth := rapid.Float32Range(0.02, 0.5).Draw(t, "smooth")
		var low float32
		for i := range s {
			seed = seed*1664525 + 1013904223
			low += smooth * (float32(int32(seed))/(1<<31)*4 - low)
			s[i] = low
		}
		dsp.FadeIn(s, 48)
		dsp.FadeOut(s, 48)
		dsp.Limit(s, -1.5)
		require.LessOrEqual(t, loudness.TruePeak(s), -1.2)
	})
}

func TestTheLimiterLeavesQuietSoundAlone(t *testing.T) {
	t.Parallel()
	s, want := signal.Sine(dsp.Rate, 440, 0.3, 5000), signal.Sine(dsp.Rate, 440, 0.3, 5000)
	dsp.Limit(s, -1.5)
	require.Equal(t, want, s)
	// One peak in a long sound: a second away nothing has changed.
	s = append(append(signal.Sine(dsp.Rate, 440, 0.3, dsp.Rate), 1, -1), signal.Sine(dsp.Rate, 440, 0.3, dsp.Rate)...)
	dsp.Limit(s, -6)
	require.Equal(t, want[:1000], s[:1000])
}

func TestTheCompressorEvensOut(t *testing.T) {
	t.Parallel()
	c := dsp.Compressor{Threshold: -22, Ratio: 2, Knee: 6, Attack: 0.005, Release: 0.1}
	loud, soft := signal.Sine(dsp.Rate, 300, 0.5, dsp.Rate), signal.Sine(dsp.Rate, 300, 0.01, dsp.Rate)
	before := signal.Level(loud) - signal.Level(soft)
	c.Apply(loud)
	c.Apply(soft)
	tail := func(s []float32) float64 { return signal.Level(s[dsp.Rate/2:]) }
	require.InDelta(t, before-(signal.Level(signal.Sine(dsp.Rate, 300, 0.5, dsp.Rate))+22)/2, tail(loud)-tail(soft), 1)
}

func TestTheRoomDiesAway(t *testing.T) {
	t.Parallel()
	room := dsp.Reverb{Wet: 0.1, Decay: 0.32}
	s := make([]float32, dsp.Rate)
	s[0] = 1
	room.Apply(s)
	require.InDelta(t, 1, s[0], 1e-6, "the voice itself is untouched")
	wet := signal.Level(s[1:]) + 10*math.Log10(dsp.Rate)
	require.InDelta(t, -20, wet, 2.5, "about a tenth of the voice's amplitude")
	decayed := signal.Level(s[dsp.Rate*40/100:dsp.Rate*45/100]) - signal.Level(s[dsp.Rate*4/100:dsp.Rate*9/100])
	require.Less(t, decayed, -45.0)
}

func TestFadesAreSmoothAndComplete(t *testing.T) {
	t.Parallel()
	s := make([]float32, 1000)
	for i := range s {
		s[i] = 1
	}
	dsp.FadeIn(s, 120)
	dsp.FadeOut(s, 240)
	require.Less(t, s[0], float32(0.001))
	require.Less(t, s[999], float32(0.001))
	require.InDelta(t, 1, s[500], 0)
	for i := 1; i < len(s); i++ {
		require.Less(t, math.Abs(float64(s[i]-s[i-1])), 0.014, "no step larger than the steepest of the curve")
	}
	dsp.FadeOut(s[:3], 240)
}

func TestSoundIsFoundBetweenSilences(t *testing.T) {
	t.Parallel()
	s := make([]float32, 3*dsp.Rate)
	copy(s[dsp.Rate/2:], signal.Sine(dsp.Rate, 300, 0.3, dsp.Rate/2))
	copy(s[dsp.Rate*3/2:], signal.Sine(dsp.Rate, 300, 0.1, dsp.Rate/2))
	whole, pauses := dsp.DetectSound(s, dsp.Rate/10)
	require.InDelta(t, dsp.Rate/2, whole.Start, dsp.Rate/100)
	require.InDelta(t, 2*dsp.Rate, whole.End, dsp.Rate/100)
	require.Len(t, pauses, 1)
	require.InDelta(t, dsp.Rate, pauses[0].Start, dsp.Rate/100)
	require.InDelta(t, dsp.Rate*3/2, pauses[0].End, dsp.Rate/100)
	whole, pauses = dsp.DetectSound(make([]float32, 5000), 100)
	require.Zero(t, whole)
	require.Empty(t, pauses)
}
