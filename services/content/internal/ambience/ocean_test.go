package ambience_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTheSeaSendsSevenWavesAMinute(t *testing.T) {
	t.Parallel()
	l := rendered["ocean"]()
	require.Len(t, heights(levels(1.5, l.Left, l.Right), 2), 7)
}

func TestNoTwoWavesAreAlike(t *testing.T) {
	t.Parallel()
	l := rendered["ocean"]()
	roar := levels(0.4, between(l.Left, 60, 1700), between(l.Right, 60, 1700))
	foam := levels(0.4, between(l.Left, 1700, 7500), between(l.Right, 1700, 7500))
	breaks := heights(levels(1.5, l.Left, l.Right), 2)
	for i, a := range breaks {
		for _, b := range breaks[:i] {
			require.GreaterOrEqual(t, max(apart(roar, a, b), apart(foam, a, b)), 1.0, "waves at %d s and %d s, in dB", a/perSecond, b/perSecond)
		}
	}
}

// heights are the places of a circular curve that are the highest for 3 s to both sides and stand
// out by so much from the lowest there.
func heights(x []float64, by float64) (at []int) {
	const near = 3 * perSecond
	for i, v := range x {
		lowest, highest := v, true
		for j := i - near; j <= i+near; j++ {
			other := x[(j+len(x))%len(x)]
			lowest = min(lowest, other)
			highest = highest && (other < v || j == i)
		}
		if highest && v-lowest >= by {
			at = append(at, i)
		}
	}
	return at
}

// apart is how much a curve differs around two places, in the mean over 3 s to both sides.
func apart(x []float64, a, b int) float64 {
	const near = 3 * perSecond
	var sum float64
	for j := -near; j <= near; j++ {
		d := x[(a+j+len(x))%len(x)] - x[(b+j+len(x))%len(x)]
		sum += d * d
	}
	return math.Sqrt(sum / (2*near + 1))
}
