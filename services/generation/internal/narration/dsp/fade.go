package dsp

import "math"

// FadeIn raises the first n samples from silence along a raised cosine.
func FadeIn(samples []float32, n int) {
	n = min(n, len(samples))
	for i := range n {
		samples[i] *= raised(i, n)
	}
}

// FadeOut lowers the last n samples to silence along a raised cosine.
func FadeOut(samples []float32, n int) {
	n = min(n, len(samples))
	for i := range n {
		samples[len(samples)-1-i] *= raised(i, n)
	}
}

func raised(i, n int) float32 {
	return float32(0.5 - 0.5*math.Cos(math.Pi*(float64(i)+0.5)/float64(n)))
}
