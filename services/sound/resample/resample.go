// Package resample interpolates between samples with a Kaiser-windowed sinc, in polyphase form:
// to change a signal's rate, and to see what lies between its samples. It knows one channel.
package resample

const taps = 32 // input samples under one output sample

// Resampler changes the rate by up/down. It is safe for concurrent use.
type Resampler struct {
	up, down int
	phases   [][taps]float32
}

// New makes a Resampler whose output has up samples for every down of the input.
func New(up, down int) *Resampler {
	d := gcd(up, down)
	r := &Resampler{up: up / d, down: down / d}
	// The cut-off leaves the window's transition below the lower of the two Nyquist limits.
	kernel := Kernel(r.up, taps, 0.94*min(1, float64(r.up)/float64(r.down)))
	r.phases = make([][taps]float32, r.up)
	for p := range kernel {
		var sum float64
		for j, v := range kernel[p] {
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
	padded := make([]float32, len(in)+2*taps)
	copy(padded[taps:], in)
	out := make([]float32, r.Len(len(in)))
	at, phase := 0, 0
	for i := range out {
		kernel := &r.phases[phase]
		window := padded[at+taps/2+1:][:taps]
		var a, b float32 // two sums keep the processor's adders busy
		for j := 0; j < taps; j += 2 {
			a += window[j] * kernel[j]
			b += window[j+1] * kernel[j+1]
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
