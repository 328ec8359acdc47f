package loudness

import (
	"math"

	"serein.app/services/sound/resample"
)

const (
	oversampling = 4  // BS.1770-5 annex 2
	halfTaps     = 12 // input samples on each side of an interpolated one
)

// phases interpolates at 1/4, 2/4 and 3/4 between two samples (ripple under 0.01 dB up to 0.4
// of the rate).
var phases = func() (p [oversampling - 1][2 * halfTaps]float32) {
	kernel := resample.Kernel(oversampling, 2*halfTaps, 1)[1:] // the first is the sample itself
	for i := range p {
		for j, tap := range kernel[i] {
			p[i][j] = float32(tap)
		}
	}
	return p
}()

// Peaks writes to dst[i] the true peak around samples[i]: the largest magnitude of the sample
// and of the three interpolated ones that follow it. Where neither of the two samples around
// reaches half of floor it does not interpolate, since sound does not rise twofold between
// samples; so peaks are exact from floor up. dst is at least as long as samples.
func Peaks(dst, samples []float32, floor float32) {
	for i, s := range samples {
		s = abs(s)
		if i+1 < len(samples) && max(s, abs(samples[i+1])) >= floor/2 {
			s = max(s, between(samples, i))
		}
		dst[i] = s
	}
}

// TruePeak gives the highest true peak of the channels in dBTP, -Inf for silence.
func TruePeak(channels ...[]float32) float64 {
	var peak float32
	for _, samples := range channels {
		for i, s := range samples {
			peak = max(peak, abs(s))
			if i+1 < len(samples) && max(abs(s), abs(samples[i+1])) > peak/2 {
				peak = max(peak, between(samples, i))
			}
		}
	}
	return 20 * math.Log10(float64(peak))
}

// between is the largest interpolated magnitude between samples[i] and samples[i+1].
func between(samples []float32, i int) (peak float32) {
	first := i - halfTaps + 1
	window := samples[max(first, 0):min(first+2*halfTaps, len(samples))]
	skip := max(-first, 0)
	for p := range phases {
		taps := phases[p][skip : skip+len(window)]
		var sum float32
		for j, s := range window {
			sum += s * taps[j]
		}
		peak = max(peak, abs(sum))
	}
	return peak
}

func abs(x float32) float32 { return math.Float32frombits(math.Float32bits(x) &^ (1 << 31)) }
