package deadline

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestAScaleIsANumberFromOneToAHundred(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]float64{"": 1, "1": 1, "2.5": 2.5, "100": 100} {
		got, err := read(text)
		require.NoError(t, err, text)
		require.InDelta(t, want, got, 0, text)
	}
	for _, text := range []string{"0", "0.9", "-1", "101", "NaN", "Inf", "ten"} {
		got, err := read(text)
		require.EqualError(t, err, "DEADLINE_SCALE: want a number from 1 to 100", text)
		require.InDelta(t, 1, got, 0, text)
	}
}

func TestLimitsAreAsTheyStandUnlessTheEnvironmentSaysOtherwise(t *testing.T) {
	t.Parallel()
	got, err := read("")
	require.NoError(t, err)
	require.InDelta(t, 1, got, 0)
	require.Equal(t, time.Duration(float64(3*time.Second)*scale), Of(3*time.Second))
}
