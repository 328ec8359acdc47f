package ambience_test

import (
	"math"
	"slices"

	"serein.app/services/content/internal/ambience"
)

// perSecond is how many levels a second are measured.
const perSecond = 50

// levels gives the circular signals' common level in dB at every fiftieth of a second, each over a
// window of that many seconds from there.
func levels(seconds float64, channels ...[]float32) []float64 {
	const hop = ambience.Rate / perSecond
	hops := make([]float64, len(channels[0])/hop)
	for _, x := range channels {
		for i := range hops {
			for _, v := range x[i*hop : (i+1)*hop] {
				hops[i] += float64(v) * float64(v) / hop / float64(len(channels))
			}
		}
	}
	out := make([]float64, len(hops))
	for i, power := range mean(hops, seconds) {
		out[i] = 10 * math.Log10(power+1e-12)
	}
	return out
}

// mean gives the mean of the circular curve over that many seconds from each place.
func mean(x []float64, seconds float64) []float64 {
	n := int(math.Round(seconds * perSecond))
	var sum float64
	for i := range n {
		sum += x[i%len(x)]
	}
	out := make([]float64, len(x))
	for i := range out {
		out[i] = sum / float64(n)
		sum += x[(i+n)%len(x)] - x[i]
	}
	return out
}

// faster is what of a curve moves faster than that many seconds: what is left beside its mean.
func faster(x []float64, seconds float64) []float64 {
	slow := mean(x, seconds)
	half := int(seconds * perSecond / 2)
	out := make([]float64, len(x))
	for i := range out {
		out[i] = x[i] - slow[(i-half+len(x))%len(x)]
	}
	return out
}

// span is the distance between a curve's lowest and highest place.
func span(x []float64) float64 { return slices.Max(x) - slices.Min(x) }

// between gives what of the circular signal lies from low to high Hz, with slopes of 24 dB an octave
// beyond (Butterworth filters of the fourth order).
func between(x []float32, low, high float64) []float32 {
	const before = ambience.Rate // by then the filters are past their beginning
	out := slices.Concat(x[len(x)-before:], x)
	for _, q := range []float64{0.5412, 1.3066} {
		filter(out, low, q, -1)
		filter(out, high, q, 1)
	}
	return out[before:]
}

// filter is a low-pass (pass 1) or a high-pass (pass -1) of the second order, after the Audio EQ
// Cookbook.
func filter(x []float32, hz, q, pass float64) {
	sin, cos := math.Sincos(2 * math.Pi * hz / ambience.Rate)
	alpha := sin / (2 * q)
	outer, middle := (1-pass*cos)/2/(1+alpha), pass*(1-pass*cos)/(1+alpha)
	back1, back2 := -2*cos/(1+alpha), (1-alpha)/(1+alpha)
	var x1, x2, y1, y2 float64
	for i, v := range x {
		y := outer*(float64(v)+x2) + middle*x1 - back1*y1 - back2*y2
		x1, x2, y1, y2 = float64(v), x1, y, y1
		x[i] = float32(y)
	}
}

// level of the signal from low to high Hz, in dB.
func level(l ambience.Loop, low, high float64) float64 {
	left, right := levels(ambience.Seconds, between(l.Left, low, high)), levels(ambience.Seconds, between(l.Right, low, high))
	return (left[0] + right[0]) / 2
}

// mono is what one speaker makes of both sides.
func mono(l ambience.Loop) []float32 {
	out := make([]float32, len(l.Left))
	for i := range out {
		out[i] = (l.Left[i] + l.Right[i]) / 2
	}
	return out
}
