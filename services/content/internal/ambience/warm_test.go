package ambience_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestWarmDoesNotFlutter(t *testing.T) {
	t.Parallel()
	l := rendered["warm"]()
	for ear, x := range map[string][]float32{"left": l.Left, "right": l.Right, "one speaker": mono(l)} {
		// What moves faster than 0.3 Hz of the level over 0.4 s, and over the tenth of a second that an ear takes to hear a level.
		require.LessOrEqual(t, span(faster(levels(0.4, x), 1/0.3)), 1.0, ear)
		require.LessOrEqual(t, span(faster(levels(0.1, x), 1/0.3)), 2.0, ear)
	}
}

func TestWarmMovesAllTheSame(t *testing.T) {
	t.Parallel()
	l := rendered["warm"]()
	for _, octave := range []float64{100, 200, 400, 800} {
		require.GreaterOrEqual(t, span(levels(2, between(l.Left, octave, 2*octave))), 2.0, "from %v Hz", octave)
	}
}

func TestWarmHasALowEnd(t *testing.T) {
	t.Parallel()
	l := rendered["warm"]()
	require.GreaterOrEqual(t, level(l, 40, 75), level(l, 100, 300)-10)
}
