package upstream

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel/metric/noop"

	"serein.app/services/testkit"
)

func TestAnUpstreamThatNamesATimeIsLeftAloneForSoLong(t *testing.T) {
	t.Parallel()
	m, err := New(Config{}, nil, noop.Meter{}, time.Now, testkit.Logger(t))
	require.NoError(t, err)
	require.Equal(t, 40*time.Second, m.told(t.Context(), &Error{Kind: Busy, RetryAfter: 40 * time.Second}, 0))
}

func TestTheWaitForAnUpstreamGrowsToMinutesAndIsNeverTheSame(t *testing.T) {
	t.Parallel()
	m, err := New(Config{}, nil, noop.Meter{}, time.Now, testkit.Logger(t))
	require.NoError(t, err)
	for failed, longest := range map[int]time.Duration{0: time.Second, 3: 8 * time.Second, 1000: 5 * time.Minute} {
		waits := map[time.Duration]bool{}
		for range 10 {
			wait := m.told(t.Context(), &Error{Kind: Away}, failed)
			require.GreaterOrEqual(t, wait, longest/2)
			require.Less(t, wait, longest)
			waits[wait] = true
		}
		require.Greater(t, len(waits), 1, "replicas do not come back together")
	}
}
