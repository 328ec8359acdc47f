package sound

import "math"

const (
	sincTaps = 32  // input samples under one output sample
	sincBeta = 8.0 // Kaiser window: stop band about -80 dB
)

// Resampler changes the rate by up/down with a windowed sinc. It is safe for concurrent use.
type Resampler struct {
	up, down int
	phases   [][sincTaps]float32
}

// NewResampler makes a Resampler whose output has up samples for every down of the input.
func NewResampler(up, down int) *Resampler {
	d := gcd(up, down)
	r := &Resampler{up: up / d, down: down / d}
	r.phases = make([][sincTaps]float32, r.up)
	// The cut-off leaves the window's transition below the lower of the two Nyquist limits.
	cutoff := 0.94 * min(1, float64(r.up)/float64(r.down))
	for p := range r.phases {
		var sum float64
		for j := range sincTaps {
			x := float64(j-sincTaps/2+1) - float64(p)/float64(r.up)
			v := cutoff * sinc(cutoff*x) * kaiser(x/(sincTaps/2), sincBeta)
			r.phases[p][j] = float32(v)
			sum += v
		}
		for j := range r.phases[p] { // every phase passes a constant unchanged
			r.phases[p][j] /= float32(sum)
		}
	}
	return r
}

// Len is the length of the output for n samples of input.
func (r *Resampler) Len(n int) int { return n * r.up / r.down }

// Resample gives the signal at the new rate, aligned in time with the old one.
func (r *Resampler) Resample(in []float32) []float32 {
	padded := make([]float32, len(in)+2*sincTaps)
	copy(padded[sincTaps:], in)
	out := make([]float32, r.Len(len(in)))
	at, phase := 0, 0
	for i := range out {
		taps := &r.phases[phase]
		window := padded[at+sincTaps/2+1:][:sincTaps]
		var a, b float32 // two sums keep the processor's adders busy
		for j := 0; j < sincTaps; j += 2 {
			a += window[j] * taps[j]
			b += window[j+1] * taps[j+1]
		}
		out[i] = a + b
		phase += r.down
		at += phase / r.up
		phase %= r.up
	}
	return out
}

func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

func sinc(x float64) float64 {
	if x == 0 {
		return 1
	}
	return math.Sin(math.Pi*x) / (math.Pi * x)
}

func kaiser(x, beta float64) float64 {
	if x <= -1 || x >= 1 {
		return 0
	}
	return bessel(beta*math.Sqrt(1-x*x)) / bessel(beta)
}

// bessel is the modified Bessel function of the first kind, order zero, by its series.
func bessel(x float64) float64 {
	sum, term := 1.0, 1.0
	for k := 1.0; term > 1e-12*sum; k++ {
		term *= x * x / (4 * k * k)
		sum += term
	}
	return sum
}
