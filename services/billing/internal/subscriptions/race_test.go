package subscriptions_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	eventsv1 "serein.app/proto/gen/serein/events/v1"
	"serein.app/services/billing/internal/credits"
)

// Webhook, sweep, reconciliation and member at once, on many replicas: one renewal.
func TestARenewalThatManySettleAtOnceHappensOnce(t *testing.T) {
	t.Parallel()
	h := setup(t)
	uid, sub := h.member(t)
	h.turn(t, sub)
	ctx := context.WithoutCancel(t.Context())
	var all errgroup.Group
	for range 4 {
		replica := h.service(h.store)
		all.Go(func() error { _, err := replica.Settle(ctx, sub); return err })
		all.Go(func() error { return replica.SweepDue(ctx) })
		all.Go(func() error { return replica.Reconcile(ctx) })
	}
	require.NoError(t, all.Wait())
	require.Equal(t, credits.Balance{PlanAvailable: 20}, h.account(t, uid).Balance)
	require.Len(t, h.orders(t, uid), 2)
	require.Len(t, events[*eventsv1.SubscriptionRenewed](t, h, "subscription.renewed"), 1)
	require.Len(t, events[*eventsv1.OrderCompleted](t, h, "order.completed"), 2)
	h.requireSound(t, uid)
}
