package dsp

import "math"

// DeEsser turns down what lies above Hz while it is louder there than Threshold: a sharp s, which an equaliser could only
// soften together with everything else.
type DeEsser struct {
	Hz float64
	// Threshold in dBFS of the part above Hz; over it the level rises by 1 dB for every Ratio dB.
	Threshold, Ratio float64
}

const (
	deEsserAttack, deEsserRelease = 0.001, 0.03 // seconds
	deEsserMost                   = 12.0        // dB that it takes away
)

// deEsserWhole is what the shelf takes away, as a share of the amplitude.
var deEsserWhole = 1 - math.Pow(10, -deEsserMost/20)

// Apply works on samples in place. It mixes them with what a shelf leaves of them. The share of that is computed every
// millisecond and moves in a straight line between.
func (d DeEsser) Apply(samples []float32) {
	const step = Rate / 1000
	high, shelf := HighPass(d.Hz, math.Sqrt2/2), HighShelf(d.Hz, -deEsserMost)
	attack, release := smoothing(deEsserAttack), smoothing(deEsserRelease)
	var soft [step]float32
	var power float64
	share := float32(0)
	for at := 0; at < len(samples); at += step {
		block := samples[at:min(at+step, len(samples))]
		var sum float64
		for i, s := range block {
			above := float64(high.next(s))
			sum += above * above
			soft[i] = shelf.next(s)
		}
		sum /= float64(len(block))
		k := release
		if sum > power {
			k = attack
		}
		power += (sum - power) * k
		slope := (d.share(power) - share) / float32(len(block))
		for i, s := range block {
			share += slope
			block[i] += share * (soft[i] - s)
		}
	}
}

// share of the softened sound, from 0 to 1, that brings a power down as asked.
func (d DeEsser) share(power float64) float32 {
	over := max(0, 10*math.Log10(power+1e-10)-d.Threshold)
	if over == 0 {
		return 0
	}
	cut := min(over*(1-1/d.Ratio), deEsserMost)
	return float32((1 - math.Pow(10, -cut/20)) / deEsserWhole)
}
