package subscriptions_test

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	eventsv1 "serein.app/proto/gen/serein/events/v1"
	"serein.app/services/billing/internal/providertest"
	"serein.app/services/billing/internal/sales"
)

// The provider is away for the first three, which ends the round: the next one begins with the others, and they come to it later.
func TestWhatCouldNotBeAskedKeepsNoOtherWaiting(t *testing.T) {
	t.Parallel()
	h := setup(t)
	var subs []string
	var one uuid.UUID
	for range 5 {
		uid, sub := h.member(t)
		one, subs = uid, append(subs, sub)
	}
	renewed := func() int { return len(events[*eventsv1.SubscriptionRenewed](t, h, "subscription.renewed")) }
	turn := func() {
		h.at(h.state(t, one).EndsAt.Add(time.Hour))
		for _, sub := range subs {
			h.provider.Turn(sub)
		}
		h.news() // all of it is lost
	}
	turn()
	h.provider.Fail("Subscription", providertest.Away, providertest.Away, providertest.Away)
	require.ErrorIs(t, h.SweepDue(t.Context()), sales.ErrProviderUnavailable)
	require.Zero(t, renewed(), "it asks for no more of them in vain")
	h.sweep(t)
	require.Equal(t, 2, renewed())
	h.pass(5 * time.Minute)
	h.sweep(t)
	require.Equal(t, 5, renewed())
	turn()
	h.sweep(t)
	require.Equal(t, 10, renewed(), "all in one round, where it answers")
}
