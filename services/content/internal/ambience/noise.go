package ambience

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/dsp/fourier"
)

const (
	// hop is how far one piece of noise begins after the last, half a second: a whole number of
	// them is a period. A piece is two hops long.
	hop   = Rate / 2
	piece = 2 * hop
)

// synth makes the sounds of one track and lays them onto its loop. It needs little more than the
// loop itself: noise is made piece by piece, and everything else at the place where it is heard.
type synth struct {
	*rand.Rand
	Loop
	fft       *fourier.FFT
	spectrum  []complex128
	wave      []float64
	fadeInOut []float32
}

func newSynth(seed uint64) *synth {
	s := &synth{
		Rand: rand.New(rand.NewPCG(seed, 0x5e4e1)),
		Loop: Loop{Rate: Rate, Left: make([]float32, period), Right: make([]float32, period)},
		fft:  fourier.NewFFT(piece), spectrum: make([]complex128, piece/2+1), wave: make([]float64, piece),
		fadeInOut: make([]float32, piece),
	}
	for i := range s.fadeInOut {
		s.fadeInOut[i] = float32(math.Sin(math.Pi * (float64(i) + 0.5) / piece))
	}
	return s
}

// bed is a noise that sounds throughout the loop.
type bed struct {
	shape       func(hz float64) float64 // its amplitude over frequency
	width       float64                  // 0 is mono, 1 unrelated sides
	left, right curve                    // its level over time
}

// lay puts a bed onto the loop. Its pieces overlap by half and fade as sines do; being unrelated,
// their powers add up to one, and the last goes over into the first.
func (s *synth) lay(b bed) {
	amplitudes := make([]float64, len(s.spectrum))
	var sum float64
	for k := 1; k < len(amplitudes)-1; k++ {
		amplitudes[k] = b.shape(float64(k) * Rate / piece)
		sum += 2 * amplitudes[k] * amplitudes[k]
	}
	for k := range amplitudes {
		amplitudes[k] /= math.Sqrt(sum)
	}
	toMiddle, toSide := math.Sincos(math.Pi/2 - b.width*math.Pi/4)
	middle, side := make([]float32, piece), make([]float32, piece)
	for at := 0; at < period; at += hop {
		s.noise(middle, amplitudes, toMiddle)
		s.noise(side, amplitudes, toSide)
		b.left.each(at, piece, func(i int, level float32) {
			s.Left[(at+i)%period] += level * (middle[i] + side[i])
		})
		b.right.each(at, piece, func(i int, level float32) {
			s.Right[(at+i)%period] += level * (middle[i] - side[i])
		})
	}
}

// noise fills out with one piece of those amplitudes and random phases, faded in and out.
func (s *synth) noise(out []float32, amplitudes []float64, gain float64) {
	for k, amplitude := range amplitudes {
		if amplitude == 0 {
			s.spectrum[k] = 0
			continue
		}
		sin, cos := math.Sincos(2 * math.Pi * s.Float64())
		s.spectrum[k] = complex(gain*amplitude*cos, gain*amplitude*sin)
	}
	s.fft.Sequence(s.wave, s.spectrum)
	for i, x := range s.wave {
		out[i] = float32(x) * s.fadeInOut[i]
	}
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
