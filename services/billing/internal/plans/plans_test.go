package plans

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestASubscriptionOpensWhatItsPlanSaysFromItsStartToItsEnd(t *testing.T) {
	t.Parallel()
	starts := time.Date(2027, 3, 1, 9, 0, 0, 0, time.UTC)
	s := Subscription{StartsAt: starts, EndsAt: starts.Add(Day), PlanEntitlements: []string{"generator", "journey"}}
	for at, want := range map[time.Time][]string{
		starts.Add(-time.Nanosecond):   nil,
		starts:                         s.PlanEntitlements,
		s.EndsAt.Add(-time.Nanosecond): s.PlanEntitlements,
		s.EndsAt:                       nil,
	} {
		require.Equal(t, want, s.Entitlements(at), at)
		require.Equal(t, want != nil, s.Active(at), at)
	}
}
