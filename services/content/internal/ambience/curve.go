package ambience

import "math"

// curve is a level that moves slowly over the seconds of a loop, whose last goes over into the
// first.
type curve func(seconds float64) float64

// step in samples between two places where a curve is read, 2 ms; straight lines lie between.
const step = Rate / 500

// each gives the curve's level at n samples of the circular loop from at, n a whole number of steps.
func (c curve) each(at, n int, do func(i int, level float32)) {
	from := c(float64(at) / Rate)
	for i := 0; i < n; i += step {
		to := c(float64((at+i+step)%period) / Rate)
		for j := range step {
			do(i+j, float32(from+(to-from)*float64(j)/step))
		}
		from = to
	}
}

// swell is a curve around 1: a sum of slow waves, each a whole number of cycles in the loop, that
// moves between 1-depth and 1+depth at most.
func (s *synth) swell(depth float64, cycles ...int) curve {
	phases := make([]float64, len(cycles))
	for i := range phases {
		phases[i] = s.Float64() * 2 * math.Pi
	}
	return func(seconds float64) float64 {
		v := 0.0
		for i, c := range cycles {
			v += math.Sin(2*math.Pi*float64(c)*seconds/Seconds + phases[i])
		}
		return 1 + depth*v/float64(len(cycles))
	}
}

// between gives a number from low to high.
func (s *synth) between(low, high float64) float64 { return low + (high-low)*s.Float64() }

// spread gives n numbers from low to high in any order, no two of them near each other.
func (s *synth) spread(n int, low, high float64) []float64 {
	out := make([]float64, n)
	for i, place := range s.Perm(n) {
		out[i] = low + (high-low)*(float64(place)+s.between(0.2, 0.8))/float64(n)
	}
	return out
}

// around brings a distance in seconds to the nearest way round the loop.
func around(seconds float64) float64 { return seconds - Seconds*math.Round(seconds/Seconds) }

// hump rises to 1 at 0 as a bell and falls more slowly as a wider one with a long foot.
func hump(seconds, rise, fall float64) float64 {
	if seconds < 0 {
		return math.Exp(-1.4 * seconds * seconds / (rise * rise))
	}
	x := seconds / fall
	foot := 1 + x*x/2
	return 1 / (foot * foot)
}

// decibels as a factor.
func decibels(dB float64) float64 { return math.Pow(10, dB/20) }
