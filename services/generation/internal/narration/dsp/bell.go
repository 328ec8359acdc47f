package dsp

import "math"

// BellSamples is how long the bell sounds.
const BellSamples = 4 * Rate

// partials of a small singing bowl: the ratio to the lowest, its share, and the seconds in which it falls by 60 dB. The lowest
// is a pair that beats slowly.
var partials = [...]struct{ ratio, share, decay float64 }{
	{1, 0.5, 5}, {1.0018, 0.5, 5}, {2.71, 0.35, 2.6}, {5.19, 0.1, 1.1},
}

const (
	bellHz    = 392   // the G above middle C
	bellPeak  = 0.164 // about -30 LUFS
	bellStart = Rate * 25 / 1000
)

// Bell gives the sound of a soft bell that ends in silence.
func Bell() []float32 {
	out := make([]float32, BellSamples)
	for _, p := range partials {
		turn := 2 * math.Pi * bellHz * p.ratio / Rate
		fade := math.Pow(10, -3/(p.decay*Rate))
		amplitude := bellPeak * p.share
		for i := range out {
			out[i] += float32(amplitude * math.Sin(turn*float64(i)))
			amplitude *= fade
		}
	}
	FadeIn(out, bellStart)
	FadeOut(out, BellSamples/2)
	return out
}
