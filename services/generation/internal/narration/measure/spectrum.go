package measure

import (
	"math"
	"math/cmplx"

	"gonum.org/v1/gonum/dsp/fourier"

	"serein.app/services/generation/internal/narration/dsp"
)

// Bands are the nominal centres in Hz of the third octaves from 100 Hz to 8 kHz.
var Bands = [...]float64{
	100, 125, 160, 200, 250, 315, 400, 500, 630, 800, 1000, 1250, 1600, 2000, 2500, 3150, 4000, 5000, 6300, 8000,
}

// usual are the levels in those bands, in dB at 70 dB in all, of the long-term average speech spectrum, women and men
// together: D. Byrne et al., "An international comparison of long-term average speech spectra", J. Acoust. Soc. Am. 96
// (1994), table II.
var usual = [len(Bands)]float64{
	54.4, 57.7, 56.8, 60.2, 60.3, 59.0, 62.1, 62.1, 60.5, 56.8, 53.7, 53.0, 52.0, 48.7, 48.1, 46.8, 45.6, 44.5, 44.3, 43.7,
}

// AgainstSpeech gives how far each of Bands lies above the average spectrum of speech in dB, both taken at the same whole level.
func AgainstSpeech(samples []float32) (difference [len(Bands)]float64) {
	power := thirds(samples)
	var whole, usualWhole float64
	for b := range Bands {
		whole += power[b]
		usualWhole += math.Pow(10, usual[b]/10)
	}
	for b := range Bands {
		difference[b] = level(power[b]/whole) - (usual[b] - level(usualWhole))
	}
	return difference
}

// Worst is the largest distance in dB from the average spectrum among the bands from 1 kHz to 5 kHz, which reach to 5.6 kHz.
func Worst(difference [len(Bands)]float64) (most float64) {
	for b, hz := range Bands {
		if hz >= 1000 && hz <= 5000 {
			most = max(most, math.Abs(difference[b]))
		}
	}
	return most
}

// thirds is the power in each of Bands.
func thirds(samples []float32) (power [len(Bands)]float64) {
	const n = 4096
	fft := fourier.NewFFT(n)
	frame := make([]float64, n)
	for at := 0; at+n <= len(samples); at += n / 2 {
		for i := range frame {
			frame[i] = float64(samples[at+i]) * (0.5 - 0.5*math.Cos(2*math.Pi*float64(i)/n))
		}
		for bin, c := range fft.Coefficients(nil, frame) {
			band := int(math.Round(3*math.Log2(float64(bin)*dsp.Rate/n/1000))) + 10
			if bin > 0 && band >= 0 && band < len(Bands) {
				power[band] += real(c * cmplx.Conj(c))
			}
		}
	}
	return power
}
