package signal_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/services/testkit/signal"
)

func TestAToneHasTheLevelThatItsAmplitudeSays(t *testing.T) {
	t.Parallel()
	tone := signal.Sine(48000, 1000, 1, 48000)
	require.InDelta(t, -3.01, signal.Level(tone), 0.01, "a full-scale sine")
	require.InDelta(t, -200, signal.Level(make([]float32, 10)), 1e-9)
	require.InDelta(t, 0, tone[0], 1e-9)
	require.InDelta(t, 1, tone[12], 1e-6, "a quarter of a period")
}
