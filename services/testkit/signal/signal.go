// Package signal makes and measures plain signals for tests of what is done to sound.
package signal

import "math"

// Sine is n samples of a tone; rate and hz in Hz, the amplitude 1 is full scale.
func Sine(rate, hz, amplitude float64, n int) []float32 {
	out := make([]float32, n)
	for i := range out {
		out[i] = float32(amplitude * math.Sin(2*math.Pi*hz*float64(i)/rate))
	}
	return out
}

// Level is the samples' root mean square in dBFS; silence is -200.
func Level(samples []float32) float64 {
	var sum float64
	for _, s := range samples {
		sum += float64(s) * float64(s)
	}
	return 10 * math.Log10(sum/float64(len(samples))+1e-20)
}
