package dsp

import (
	"math"

	"serein.app/services/sound/loudness"
)

// Gain multiplies samples in place by db.
func Gain(samples []float32, db float64) {
	g := float32(math.Pow(10, db/20))
	for i := range samples {
		samples[i] *= g
	}
}

// Compressor evens a voice out: above Threshold (dBFS of a smoothed level) the output rises by
// 1 dB for every Ratio dB, with a knee of Knee dB around it.
type Compressor struct {
	Threshold, Ratio, Knee float64
	// Attack and Release are time constants in seconds.
	Attack, Release float64
}

// Apply compresses samples in place. The gain is computed every millisecond and moves in a
// straight line between, which is far below what can be heard at these time constants.
func (c Compressor) Apply(samples []float32) {
	const step = Rate / 1000
	attack, release := smoothing(c.Attack), smoothing(c.Release)
	var power float64
	gain := float32(1)
	for at := 0; at < len(samples); at += step {
		block := samples[at:min(at+step, len(samples))]
		var sum float64
		for _, s := range block {
			sum += float64(s) * float64(s)
		}
		sum /= float64(len(block))
		k := release
		if sum > power {
			k = attack
		}
		power += (sum - power) * k
		target := float32(math.Pow(10, c.reduction(10*math.Log10(power+1e-10))/20))
		slope := (target - gain) / float32(len(block))
		for i := range block {
			gain += slope
			block[i] *= gain
		}
		gain = target
	}
}

// reduction is the gain in dB, never above 0, for a level in dBFS.
func (c Compressor) reduction(level float64) float64 {
	over := level - c.Threshold
	slope := 1/c.Ratio - 1
	switch {
	case over <= -c.Knee/2:
		return 0
	case over < c.Knee/2:
		return slope * (over + c.Knee/2) * (over + c.Knee/2) / (2 * c.Knee)
	}
	return slope * over
}

// smoothing is the share of the way to go in one millisecond for a time constant in seconds.
func smoothing(seconds float64) float64 { return 1 - math.Exp(-0.001/seconds) }

// lookAhead of the limiter: 2 ms before and after a peak.
const lookAhead = Rate / 500

// Limit keeps the true peak of samples (four-fold oversampled) under ceiling in dBTP, in place,
// by turning down smoothly around each peak that would pass it.
func Limit(samples []float32, ceiling float64) {
	top := float32(math.Pow(10, ceiling/20))
	gains := make([]float32, len(samples))
	loudness.Peaks(gains, samples, top)
	var over bool
	for i, p := range gains {
		gains[i] = 1
		if p > top {
			gains[i], over = top/p, true
		}
	}
	if !over {
		return
	}
	gains = mean(minimum(gains, lookAhead), lookAhead)
	for i := range samples {
		samples[i] *= gains[i]
	}
}

// minimum gives at each place the least value within reach on both sides.
func minimum(in []float32, reach int) []float32 {
	out := make([]float32, len(in))
	queue := make([]int, 0, 2*reach+2) // places of rising values, the least first
	next := 0
	for i := range out {
		for ; next < min(i+reach+1, len(in)); next++ {
			for len(queue) > 0 && in[queue[len(queue)-1]] >= in[next] {
				queue = queue[:len(queue)-1]
			}
			queue = append(queue, next)
		}
		if queue[0] < i-reach {
			queue = append(queue[:0], queue[1:]...)
		}
		out[i] = in[queue[0]]
	}
	return out
}

// mean gives at each place a weighted mean of the values within reach (a raised cosine), which
// after minimum of the same reach is nowhere above the value that is needed there.
func mean(in []float32, reach int) []float32 {
	weights := make([]float32, 2*reach+1)
	var sum float32
	for j := range weights {
		weights[j] = float32(0.5 - 0.5*math.Cos(2*math.Pi*float64(j+1)/float64(len(weights)+1)))
		sum += weights[j]
	}
	out := make([]float32, len(in))
	flat := 0 // how many values in a row have been 1
	for i := range out {
		if end := i + reach; end < len(in) && in[end] == 1 {
			flat++
		} else if end < len(in) {
			flat = 0
		}
		if flat > 2*reach {
			out[i] = 1
			continue
		}
		var acc float32
		for j, w := range weights {
			acc += w * in[min(max(i+j-reach, 0), len(in)-1)]
		}
		out[i] = acc / sum
	}
	return out
}
