package resample_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/services/sound/resample"
	"serein.app/services/testkit/signal"
)

const to = 24000 // Hz, the rate after resampling

func TestResamplingKeepsASoundAndItsPlace(t *testing.T) {
	t.Parallel()
	for _, r := range []struct{ up, down int }{{3, 2}, {45, 28}, {7, 5}, {33, 20}} {
		rate := to * float64(r.down) / float64(r.up)
		out := resample.New(r.up, r.down).Resample(signal.Sine(rate, 1000, 0.5, 16000))
		want := signal.Sine(to, 1000, 0.5, len(out))
		for i := range want {
			want[i] -= out[i]
		}
		require.Less(t, signal.Level(want[500:len(want)-500]), -75.0, "difference from the ideal")
	}
}

func TestResamplingAddsNoImages(t *testing.T) {
	t.Parallel()
	// 7 kHz at 16 kHz must not come back as its image at 9 kHz.
	out := resample.New(3, 2).Resample(signal.Sine(16000, 7000, 0.5, 16000))
	want := signal.Level(signal.Sine(16000, 7000, 0.5, 16000))
	require.InDelta(t, want, signal.Level(out[500:len(out)-500]), 1.5)
	require.Less(t, tone(out[500:12500], 9000)-tone(out[500:12500], 7000), -75.0)
}

// tone is the level of one frequency in dB, in a window that keeps others out.
func tone(samples []float32, hz float64) float64 {
	var re, im float64
	for i, s := range samples {
		w := 0.5 - 0.5*math.Cos(2*math.Pi*float64(i)/float64(len(samples)))
		sin, cos := math.Sincos(2 * math.Pi * hz * float64(i) / to)
		re += w * float64(s) * cos
		im += w * float64(s) * sin
	}
	return 10 * math.Log10(re*re+im*im)
}

func TestAKernelThatDoesNotCutMeetsEverySample(t *testing.T) {
	t.Parallel()
	for j, tap := range resample.Kernel(4, 24, 1)[0] {
		want := 0.0
		if j == 11 {
			want = 1
		}
		require.InDelta(t, want, tap, 1e-12)
	}
}

func TestASteadySignalStaysWhatItIs(t *testing.T) {
	t.Parallel()
	in := make([]float32, 4000)
	for i := range in {
		in[i] = 0.5
	}
	r := resample.New(3, 2)
	out := r.Resample(in)
	require.Len(t, out, r.Len(len(in)))
	for _, v := range out[100 : len(out)-100] {
		require.InDelta(t, 0.5, v, 1e-6)
	}
}
