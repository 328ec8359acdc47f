package resample

import "math"

const beta = 8.0 // of the Kaiser window: stop band about -80 dB

// Kernel gives the taps that interpolate p/phases of the way from one sample to the next, for
// every p below phases. Tap j belongs to the sample j-taps/2+1 places after the first of the
// two; taps is even. The cut-off is a fraction of the input's Nyquist limit, at most 1.
func Kernel(phases, taps int, cutoff float64) [][]float64 {
	kernel := make([][]float64, phases)
	for p := range kernel {
		kernel[p] = make([]float64, taps)
		for j := range taps {
			x := float64(j-taps/2+1) - float64(p)/float64(phases)
			kernel[p][j] = cutoff * sinc(cutoff*x) * kaiser(x/float64(taps/2), beta)
		}
	}
	return kernel
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
