package ambience

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/dsp/fourier"
)

// noise makes one period of noise whose amplitude over frequency follows shape (Hz to a
// linear factor). Random phases over exactly one period make it circular. Its mean square is
// 1 over the whole period.
func noise(r *rand.Rand, shape func(hz float64) float64) []float32 {
	bins := make([]complex128, period/2+1)
	for k := 1; k < len(bins)-1; k++ {
		amplitude := shape(float64(k) / Seconds)
		if amplitude == 0 {
			continue
		}
		sin, cos := math.Sincos(2 * math.Pi * r.Float64())
		bins[k] = complex(amplitude*cos, amplitude*sin)
	}
	return synthesise(bins)
}

// synthesise turns a spectrum into one period of mean square 1.
func synthesise(bins []complex128) []float32 {
	wave := fourier.NewFFT(period).Sequence(nil, bins)
	var sum float64
	for _, x := range wave {
		sum += x * x
	}
	scale := 1 / math.Sqrt(sum/period)
	out := make([]float32, period)
	for i, x := range wave {
		out[i] = float32(x * scale)
	}
	return out
}

// widen gives a stereo pair from two unrelated signals: width 0 is mono, 1 unrelated sides.
func widen(middle, side []float32, width float64) (left, right []float32) {
	m, s := math.Sincos(math.Pi/2 - width*math.Pi/4)
	left, right = make([]float32, period), make([]float32, period)
	for i := range middle {
		a, b := float32(m)*middle[i], float32(s)*side[i]
		left[i], right[i] = a+b, a-b
	}
	return left, right
}

// band is a shape that passes low to high Hz, with slopes an octave wide on both sides that
// add up to one with a neighbouring band's, and falls by tilt dB an octave.
func band(low, high, tilt float64) func(float64) float64 {
	return func(hz float64) float64 {
		if hz < low/2 || hz > high*2 {
			return 0
		}
		return rise(hz, low) * rise(high*high/hz, high) * math.Pow(hz/1000, -tilt/6.0206)
	}
}

// rise goes from 0 an octave below hz0 to 1 an octave above, as the sine of a quarter turn.
func rise(hz, hz0 float64) float64 {
	x := math.Log2(hz/hz0)/2 + 0.5
	return math.Sin(math.Pi / 2 * math.Min(math.Max(x, 0), 1))
}

// swell is an envelope around 1: a sum of slow waves, each a whole number of cycles in the
// loop, that moves between 1-depth and 1+depth at most.
func swell(r *rand.Rand, depth float64, cycles ...int) []float32 {
	phases := make([]float64, len(cycles))
	for i := range phases {
		phases[i] = r.Float64() * 2 * math.Pi
	}
	return curve(func(turn float64) float64 {
		v := 0.0
		for i, c := range cycles {
			v += math.Sin(2*math.Pi*float64(c)*turn + phases[i])
		}
		return 1 + depth*v/float64(len(cycles))
	})
}

// curve samples a slow periodic function of the loop's turn, 0 to 1, every 2 ms, with straight
// lines between.
func curve(f func(turn float64) float64) []float32 {
	const step = Rate / 500
	out := make([]float32, period)
	from := f(0)
	for at := 0; at < period; at += step {
		to := f(float64(at+step) / period)
		for i := range step {
			out[at+i] = float32(from + (to-from)*float64(i)/step)
		}
		from = to
	}
	return out
}
