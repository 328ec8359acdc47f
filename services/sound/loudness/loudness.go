// Package loudness measures sound as ITU-R BS.1770-5 does: integrated loudness in LUFS and
// true peak in dBTP. It measures; it changes nothing.
package loudness

import "math"

const (
	absoluteGate = -70.0 // LUFS, BS.1770-5 annex 1
	relativeGate = -10.0 // LU below the loudness of what passed the absolute gate
	blockSteps   = 4     // a gating block of 400 ms is four steps of 100 ms: 75 % overlap
)

// Integrated returns the gated loudness of one recording in LUFS, one slice a channel (all
// weighted 1, as left, right and mono are). It returns -Inf for a silent recording, and for one
// shorter than a block of 400 ms.
func Integrated(rate int, channels ...[]float32) float64 {
	steps := make([]float64, len(channels[0])*10/rate)
	for _, samples := range channels {
		addEnergy(steps, samples, rate)
	}
	if len(steps) < blockSteps {
		return math.Inf(-1)
	}
	blocks := make([]float64, len(steps)-blockSteps+1)
	for i := range blocks {
		for _, e := range steps[i : i+blockSteps] {
			blocks[i] += e / blockSteps
		}
	}
	gate := gatedMean(blocks, power(absoluteGate)) * math.Pow(10, relativeGate/10)
	return level(gatedMean(blocks, max(gate, power(absoluteGate))))
}

// addEnergy adds the K-weighted mean square of every 100 ms to steps.
func addEnergy(steps []float64, samples []float32, rate int) {
	shelf, highpass := kWeighting(float64(rate))
	size := rate / 10
	for i := range steps {
		var sum float64
		for _, s := range samples[i*size : (i+1)*size] {
			y := highpass.next(shelf.next(float64(s)))
			sum += y * y
		}
		steps[i] += sum / float64(size)
	}
}

// gatedMean is the mean of the blocks above a gate, 0 for none.
func gatedMean(blocks []float64, gate float64) float64 {
	var sum float64
	n := 0
	for _, b := range blocks {
		if b > gate {
			sum += b
			n++
		}
	}
	if n == 0 {
		return 0
	}
	return sum / float64(n)
}

// offset makes a 997 Hz sine at full scale in one channel read -3.01 LUFS (BS.1770-5 annex 1).
const offset = -0.691

func level(power float64) float64 { return offset + 10*math.Log10(power) }
func power(level float64) float64 { return math.Pow(10, (level-offset)/10) }
