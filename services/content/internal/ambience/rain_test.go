package ambience_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestRainComesInGusts(t *testing.T) {
	t.Parallel()
	l := rendered["rain"]()
	heard := levels(2, l.Left, l.Right)
	require.LessOrEqual(t, span(heard), 6.0, "it may not frighten")
	gusts := heights(heard, 1)
	moved := 0
	for i, at := range gusts {
		before, after := gusts[(i+len(gusts)-1)%len(gusts)], gusts[(i+1)%len(gusts)]
		from, to := lowest(heard, before, at), lowest(heard, at, after)
		seconds := float64((to-from+len(heard))%len(heard)) / perSecond
		require.GreaterOrEqual(t, seconds, 6.0, "the gust at %d s", at/perSecond)
		require.LessOrEqual(t, seconds, 15.0, "the gust at %d s", at/perSecond)
		if rise := heard[at] - max(heard[from], heard[to]); rise >= 3 && rise <= 5 {
			moved++
		}
	}
	require.GreaterOrEqual(t, moved, 3, "gusts that move the level by 3 to 5 dB")
	for i := range heard {
		require.LessOrEqual(t, heard[(i+perSecond)%len(heard)]-heard[i], 3.0, "a gust is no blow")
	}
}

// lowest is the place of a circular curve's lowest point on the way from one place to a later one.
func lowest(x []float64, from, to int) int {
	at := from
	for i := from; i != to; i = (i + 1) % len(x) {
		if x[i] < x[at] {
			at = i
		}
	}
	return at
}

func TestAGustIsBrighterThanWhatLiesBetween(t *testing.T) {
	t.Parallel()
	l := rendered["rain"]()
	heard, bright, dull := levels(2, l.Left), levels(2, between(l.Left, 4000, 8000)), levels(2, between(l.Left, 300, 1200))
	high, low := slices.Index(heard, slices.Max(heard)), slices.Index(heard, slices.Min(heard))
	require.GreaterOrEqual(t, (bright[high]-dull[high])-(bright[low]-dull[low]), 1.0)
}

func TestAGustGoesFromOneSideToTheOther(t *testing.T) {
	t.Parallel()
	l := rendered["rain"]()
	left, right := levels(1.5, between(l.Left, 300, 8000)), levels(1.5, between(l.Right, 300, 8000))
	side := make([]float64, len(left))
	for i := range side {
		side[i] = left[i] - right[i]
	}
	require.Greater(t, slices.Max(side), 1.0, "nearer to the left")
	require.Less(t, slices.Min(side), -1.0, "nearer to the right")
}

func TestRainHasALowEnd(t *testing.T) {
	t.Parallel()
	l := rendered["rain"]()
	require.InDelta(t, level(l, 300, 1200), level(l, 40, 150), 6)
}

func TestDropsFallNearOnBothSides(t *testing.T) {
	t.Parallel()
	l := rendered["rain"]()
	onLeft, onRight := near(l.Left, l.Right), near(l.Right, l.Left)
	require.GreaterOrEqual(t, onLeft, 7)
	require.GreaterOrEqual(t, onRight, 7)
	require.LessOrEqual(t, onLeft+onRight, 60, "a place by the eaves is no tap that drips")
}

// near counts the drops of 300 to 1500 Hz that stand out of the rain around them at one ear, and less so at the other.
func near(ear, other []float32) int { return standing(ear, other, 300, 1500, stands) }

// standing counts the drops between two frequencies that stand out by so many dB at one ear, and 3 dB less at the other.
func standing(ear, other []float32, low, high, by float64) (drops int) {
	here := faster(levels(0.02, between(ear, low, high)), 1)
	there := faster(levels(0.02, between(other, low, high)), 1)
	for i, v := range here {
		next, last := here[(i+1)%len(here)], here[(i+len(here)-1)%len(here)]
		if v >= by && v >= next && v > last && v-there[i] >= 3 {
			drops++
		}
	}
	return drops
}

func TestTheRoofIsNear(t *testing.T) {
	t.Parallel()
	l := rendered["rain"]()
	for _, x := range [][]float32{l.Left, l.Right} {
		require.Greater(t, peakedness(between(x, 150, 320)), 3.9, "boards above; an even rumble has 3")
	}
	clay := func(ear, other []float32) int { return standing(ear, other, 480, 760, 5) }
	require.GreaterOrEqual(t, clay(l.Right, l.Left), 2*clay(l.Left, l.Right), "tiles on the right")
	require.GreaterOrEqual(t, standing(l.Left, l.Right, 1050, 1700, 5), 16, "tin on the left; without it ten drops stand out")
}

// stands is how far a near drop stands out, in dB within a fiftieth of a second.
const stands = 8.0

func TestDropsFallFarOff(t *testing.T) {
	t.Parallel()
	l := rendered["rain"]()
	for _, x := range [][]float32{l.Left, l.Right} {
		require.Greater(t, peakedness(between(x, 2000, 9000)), 3.15, "an even hiss has 3")
	}
}

// peakedness is the kurtosis of a signal without a mean.
func peakedness(x []float32) float64 {
	var square, fourth float64
	for _, v := range x {
		p := float64(v) * float64(v)
		square, fourth = square+p, fourth+p*p
	}
	return fourth * float64(len(x)) / (square * square)
}
