// Package dsp is the signal processing of the narrator's voice: equaliser,
// compression, reverb, limiter, fades. Everything works on whole mono signals in place where it
// can, in float32, and knows nothing of words.
package dsp

import (
	"math"
	"slices"
)

// Rate of all sound in samples a second, unless said otherwise. At 24 kHz an MP3 frame is
// exactly 24 ms, and the band reaches past what the synthesiser's 16 kHz can hold.
const Rate = 24000

// Filter is a second-order section (transposed direct form II). The formulas are those of the
// Audio EQ Cookbook by Robert Bristow-Johnson (W3C note, 2021).
type Filter struct{ b0, b1, b2, a1, a2, z1, z2 float64 }

// Apply filters samples in place and keeps its state for the next call.
func (f *Filter) Apply(samples []float32) {
	for i, s := range samples {
		samples[i] = f.next(s)
	}
}

// next filters one sample.
func (f *Filter) next(s float32) float32 {
	x := float64(s)
	y := f.b0*x + f.z1
	f.z1 = f.b1*x - f.a1*y + f.z2
	f.z2 = f.b2*x - f.a2*y
	return float32(y)
}

// Filters are sections one after the other. They are at rest, and stay so: many goroutines may apply them at once.
type Filters []Filter

// Apply sends a whole signal through all sections in place. The samples come out as they do of one Filter.Apply a section,
// in less time: a section works on one sample while the section before it works on the next.
func (f Filters) Apply(samples []float32) {
	sections := slices.Clone(f)
	for i, s := range samples {
		for j := range sections {
			s = sections[j].next(s)
		}
		samples[i] = s
	}
}

func section(b0, b1, b2, a0, a1, a2 float64) Filter {
	return Filter{b0: b0 / a0, b1: b1 / a0, b2: b2 / a0, a1: a1 / a0, a2: a2 / a0}
}

// HighPass removes what lies below hz, with quality q (0.7071 is maximally flat).
func HighPass(hz, q float64) Filter {
	sin, cos := math.Sincos(2 * math.Pi * hz / Rate)
	alpha := sin / (2 * q)
	return section((1+cos)/2, -(1 + cos), (1+cos)/2, 1+alpha, -2*cos, 1-alpha)
}

// LowPass falls by 6 dB an octave above hz.
func LowPass(hz float64) Filter {
	k := math.Tan(math.Pi * hz / Rate)
	return section(k, k, 0, k+1, k-1, 0)
}

// Peak raises or lowers by db around hz; a higher q is narrower.
func Peak(hz, q, db float64) Filter {
	sin, cos := math.Sincos(2 * math.Pi * hz / Rate)
	alpha, a := sin/(2*q), math.Pow(10, db/40)
	return section(1+alpha*a, -2*cos, 1-alpha*a, 1+alpha/a, -2*cos, 1-alpha/a)
}

// HighShelf raises or lowers by db what lies above hz, with the steepest slope that is monotonic.
func HighShelf(hz, db float64) Filter {
	sin, cos := math.Sincos(2 * math.Pi * hz / Rate)
	a := math.Pow(10, db/40)
	r := 2 * math.Sqrt(a) * sin / math.Sqrt2
	return section(
		a*((a+1)+(a-1)*cos+r), -2*a*((a-1)+(a+1)*cos), a*((a+1)+(a-1)*cos-r),
		(a+1)-(a-1)*cos+r, 2*((a-1)-(a+1)*cos), (a+1)-(a-1)*cos-r)
}
