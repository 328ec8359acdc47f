package dsp

import (
	"math"
	"slices"
)

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

// Apply works on samples in place. It mixes them with what a shelf leaves of them. The share of that is computed every
// millisecond and moves in a straight line between.
func (d DeEsser) Apply(samples []float32) {
	const step = Rate / 1000
	part, soft := slices.Clone(samples), slices.Clone(samples)
	high, shelf := HighPass(d.Hz, math.Sqrt2/2), HighShelf(d.Hz, -deEsserMost)
	high.Apply(part)
	shelf.Apply(soft)
	attack, release := smoothing(deEsserAttack), smoothing(deEsserRelease)
	var power float64
	share := float32(0)
	for at := 0; at < len(samples); at += step {
		end := min(at+step, len(samples))
		var sum float64
		for _, s := range part[at:end] {
			sum += float64(s) * float64(s)
		}
		sum /= float64(end - at)
		k := release
		if sum > power {
			k = attack
		}
		power += (sum - power) * k
		slope := (d.share(10*math.Log10(power+1e-10)) - share) / float32(end-at)
		for i := at; i < end; i++ {
			share += slope
			samples[i] += share * (soft[i] - samples[i])
		}
	}
}

// share of the softened sound, from 0 to 1, that brings a level in dBFS down as asked.
func (d DeEsser) share(level float64) float32 {
	over := max(0, level-d.Threshold)
	cut := min(over*(1-1/d.Ratio), deEsserMost)
	return float32((1 - math.Pow(10, -cut/20)) / (1 - math.Pow(10, -deEsserMost/20)))
}
