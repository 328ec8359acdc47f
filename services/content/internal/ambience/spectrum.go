package ambience

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/dsp/fourier"
)

// synth makes the noises of one track. Planning a transform of this length costs as much as
// doing it, and its buffers are 23 MB, so all noises of the track share them.
type synth struct {
	*rand.Rand
	fft  *fourier.FFT
	bins []complex128
	wave []float64
}

func newSynth(seed uint64) *synth {
	return &synth{
		Rand: rand.New(rand.NewPCG(seed, 0x5e4e1)), fft: fourier.NewFFT(period),
		bins: make([]complex128, period/2+1), wave: make([]float64, period),
	}
}

// noises makes two unrelated periods of noise whose amplitude over frequency follows shape (Hz
// to a linear factor). Random phases over exactly one period make them circular. The mean
// square of each is 1 over the whole period.
func (s *synth) noises(shape func(hz float64) float64) (a, b []float32) {
	amplitudes := make([]float64, len(s.bins))
	for k := 1; k < len(s.bins)-1; k++ {
		amplitudes[k] = shape(float64(k) / Seconds)
	}
	return s.noise(amplitudes), s.noise(amplitudes)
}

func (s *synth) noise(amplitudes []float64) []float32 {
	clear(s.bins)
	for k, amplitude := range amplitudes {
		if amplitude != 0 {
			sin, cos := math.Sincos(2 * math.Pi * s.Float64())
			s.bins[k] = complex(amplitude*cos, amplitude*sin)
		}
	}
	return s.synthesise()
}

// synthesise turns the spectrum in bins into one period of mean square 1.
func (s *synth) synthesise() []float32 {
	s.fft.Sequence(s.wave, s.bins)
	var sum float64
	for _, x := range s.wave {
		sum += x * x
	}
	scale := 1 / math.Sqrt(sum/period)
	out := make([]float32, period)
	for i, x := range s.wave {
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
	if hz >= 2*hz0 {
		return 1 // most of a band, at no cost
	}
	x := math.Log2(hz/hz0)/2 + 0.5
	return math.Sin(math.Pi / 2 * math.Max(x, 0))
}

// swell is an envelope around 1: a sum of slow waves, each a whole number of cycles in the
// loop, that moves between 1-depth and 1+depth at most.
func (s *synth) swell(depth float64, cycles ...int) []float32 {
	phases := make([]float64, len(cycles))
	for i := range phases {
		phases[i] = s.Float64() * 2 * math.Pi
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
