package loudness

import "math"

// filter is a second-order section in transposed direct form II.
type filter struct{ b0, b1, b2, a1, a2, z1, z2 float64 }

func (f *filter) next(x float64) float64 {
	y := f.b0*x + f.z1
	f.z1 = f.b1*x - f.a1*y + f.z2
	f.z2 = f.b2*x - f.a2*y
	return y
}

// kWeighting gives the two filters of BS.1770-5 for any rate. The standard tables them for
// 48 kHz alone; these analogue corner frequencies, gains and qualities give exactly those
// coefficients through the bilinear transform (a test compares them with the tables), and
// nearly the same response at other rates (within 0.03 dB at 1 kHz from 24 kHz up).
func kWeighting(rate float64) (shelf, highpass filter) {
	const (
		shelfHz, shelfGain, shelfQ = 1681.974450955533, 3.999843853973347, 0.7071752369554196
		highHz, highQ              = 38.13547087602444, 0.5003270373238773
	)
	k := math.Tan(math.Pi * shelfHz / rate)
	vh := math.Pow(10, shelfGain/20)
	vb := math.Pow(vh, 0.4996667741545416)
	a0 := 1 + k/shelfQ + k*k
	shelf = filter{
		b0: (vh + vb*k/shelfQ + k*k) / a0, b1: 2 * (k*k - vh) / a0, b2: (vh - vb*k/shelfQ + k*k) / a0,
		a1: 2 * (k*k - 1) / a0, a2: (1 - k/shelfQ + k*k) / a0,
	}
	k = math.Tan(math.Pi * highHz / rate)
	a0 = 1 + k/highQ + k*k
	highpass = filter{b0: 1, b1: -2, b2: 1, a1: 2 * (k*k - 1) / a0, a2: (1 - k/highQ + k*k) / a0}
	return shelf, highpass
}
