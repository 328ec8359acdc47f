package meditation

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Free is less than a quarter: at the quarter itself the price is due.
func TestTheTermsOfCancellingTurnAtExactlyAQuarter(t *testing.T) {
	t.Parallel()
	m := Meditation{Cost: 2, PassagesDone: 1, Expected: 4 * time.Minute}
	for ready, price := range map[time.Duration]int{0: 0, time.Minute - time.Microsecond: 0, time.Minute: 2, time.Minute + time.Microsecond: 2, 4 * time.Minute: 2} {
		m.ReadyFor = ready
		require.Equal(t, CancelTerms{Price: price, FreeLeft: 2}, m.cancelTerms(1), ready)
	}
	m.ReadyFor = time.Minute - time.Microsecond
	require.Equal(t, CancelTerms{Price: 2}, m.cancelTerms(FreeCancellations), "the free ones are used up")
	m.PassagesDone, m.ReadyFor = 0, 0
	require.Equal(t, CancelTerms{}, m.cancelTerms(FreeCancellations+1), "where nothing is delivered nothing is due")
}
