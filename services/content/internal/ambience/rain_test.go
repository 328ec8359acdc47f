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
	require.GreaterOrEqual(t, span(heard), 4.0)
	require.LessOrEqual(t, span(heard), 9.0, "it may not frighten")
	gusts := heights(heard, 1)
	require.GreaterOrEqual(t, len(gusts), 4)
	for i, at := range gusts {
		gap := (gusts[(i+1)%len(gusts)] - at + len(heard)) % len(heard) / perSecond
		require.GreaterOrEqual(t, gap, 5)
		require.LessOrEqual(t, gap, 20)
	}
	for i := range heard {
		require.LessOrEqual(t, heard[(i+perSecond)%len(heard)]-heard[i], 3.0, "a gust is no blow")
	}
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

// near counts the drops that stand out of the rain around them at one ear, and less so at the other.
func near(ear, other []float32) (drops int) {
	here := faster(levels(0.02, between(ear, 300, 1500)), 1)
	there := faster(levels(0.02, between(other, 300, 1500)), 1)
	for i, v := range here {
		next, last := here[(i+1)%len(here)], here[(i+len(here)-1)%len(here)]
		if v >= stands && v >= next && v > last && v-there[i] >= 3 {
			drops++
		}
	}
	return drops
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
