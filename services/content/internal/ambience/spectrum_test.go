package ambience_test

import (
	"math"

	"gonum.org/v1/gonum/dsp/fourier"

	"serein.app/services/content/internal/ambience"
)

// spectralChanges says how much the spectrum of the 32 ms before a place differs from that of
// the 32 ms after it (mean of the differences in dB over third-octave-like bands), every 50 ms
// of the circular signal; the first is the seam.
func spectralChanges(x []float32) []float64 {
	const size, step = 1024, ambience.Rate / 20
	fft := fourier.NewFFT(size)
	spectrum := func(at int) []float64 {
		block := make([]float64, size)
		for i := range block {
			w := 0.5 - 0.5*math.Cos(2*math.Pi*float64(i)/size)
			block[i] = w * float64(x[(at+i+len(x))%len(x)])
		}
		bands := make([]float64, 0, 9)
		coefficients := fft.Coefficients(nil, block)
		for low := 1; low < len(coefficients); low *= 2 {
			var sum float64
			for _, c := range coefficients[low:min(2*low, len(coefficients))] {
				sum += real(c)*real(c) + imag(c)*imag(c)
			}
			bands = append(bands, 10*math.Log10(sum+1e-12))
		}
		return bands
	}
	var changes []float64
	for at := 0; at < len(x); at += step {
		before, after := spectrum(at-size), spectrum(at)
		var sum float64
		for i := range before {
			sum += math.Abs(before[i] - after[i])
		}
		changes = append(changes, sum/float64(len(before)))
	}
	return changes
}
