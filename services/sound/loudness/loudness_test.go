package loudness_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/services/sound/loudness"
)

// sine of frequency hz and amplitude in dB below full scale.
func sine(rate int, hz, db, seconds float64) []float32 {
	out := make([]float32, int(float64(rate)*seconds))
	a := math.Pow(10, db/20)
	for i := range out {
		out[i] = float32(a * math.Sin(2*math.Pi*hz*float64(i)/float64(rate)))
	}
	return out
}

func TestFullScaleSineReadsAsTheStandardSays(t *testing.T) {
	t.Parallel()
	for _, rate := range []int{24000, 32000, 44100, 48000} {
		require.InDelta(t, -3.01, loudness.Integrated(rate, sine(rate, 997, 0, 3)), 0.04, rate)
	}
}

func TestLevelsOfTheComplianceSet(t *testing.T) {
	t.Parallel()
	// EBU Tech 3341 cases 1 to 3: a stereo 1 kHz sine at -23 dBFS reads -23 LUFS, at -33 it
	// reads -33, and 10 s at -36, 60 s at -23, 10 s at -36 read -23, all within 0.1 LU.
	for _, db := range []float64{-23, -33} {
		s := sine(48000, 1000, db, 20)
		require.InDelta(t, db, loudness.Integrated(48000, s, s), 0.1)
	}
	quiet := sine(48000, 1000, -36, 10)
	s := append(append(append([]float32{}, quiet...), sine(48000, 1000, -23, 60)...), quiet...)
	require.InDelta(t, -23, loudness.Integrated(48000, s, s), 0.1)
}

func TestSilenceDoesNotCount(t *testing.T) {
	t.Parallel()
	s := sine(24000, 997, -20, 5)
	want := loudness.Integrated(24000, s)
	require.InDelta(t, want, loudness.Integrated(24000, append(s, make([]float32, 24000*60)...)), 0.3)
	require.True(t, math.IsInf(loudness.Integrated(24000, make([]float32, 48000)), -1))
	require.True(t, math.IsInf(loudness.Integrated(24000, s[:2400]), -1), "shorter than a block")
}

func TestTruePeakSeesBetweenSamples(t *testing.T) {
	t.Parallel()
	// A sine at a quarter of the rate, 45 degrees off: every sample is at -3.01 dB, the wave at 0.
	s := make([]float32, 4800)
	for i := range s {
		s[i] = float32(math.Sin(math.Pi/2*float64(i) + math.Pi/4))
	}
	window := s[100:4000]
	require.InDelta(t, 0, loudness.TruePeak(window), 0.35, "edges ring") // abrupt ends overshoot a little
	fade := make([]float32, len(s))
	for i := range s {
		fade[i] = s[i] * float32(0.5-0.5*math.Cos(2*math.Pi*float64(i)/float64(len(s)-1)))
	}
	require.InDelta(t, 0, loudness.TruePeak(fade), 0.05)
	peaks := make([]float32, len(fade))
	loudness.Peaks(peaks, fade, 0.5)
	var top float32
	for _, p := range peaks {
		top = max(top, p)
	}
	require.InDelta(t, 1, top, 0.005)
	require.True(t, math.IsInf(loudness.TruePeak(make([]float32, 100)), -1))
}
