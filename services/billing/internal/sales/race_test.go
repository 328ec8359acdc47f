package sales_test

import (
	"context"
	"slices"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"serein.app/services/billing/internal/credits"
	"serein.app/services/billing/internal/providertest"
	"serein.app/services/billing/internal/sales"
)

// A8: by the webhook, doubled, and by reading back, all at once.
func TestAnOrderIsCompletedOnceByWebhookAndByReadingBackAtTheSameTime(t *testing.T) {
	t.Parallel()
	h := setup(t)
	member := newMember()
	h.buys(t, member, "core", "month")
	for range 10 {
		o := h.begins(t, request(member, "pack-20", ""))
		before, granted := len(h.provider.Told()), h.told(t, "credits.granted")
		h.provider.Pay(o.SessionID)
		events := h.provider.Told()[before:]
		var all errgroup.Group
		begin := make(chan struct{})
		for i := range 16 {
			all.Go(func() error {
				<-begin
				if i%2 == 0 {
					_, err := h.CompleteCheckout(t.Context(), member, o.ID)
					return err
				}
				// Several workers may hold one event: the queue hands it out again when a worker dies.
				return h.hear(t.Context(), events)
			})
		}
		close(begin)
		require.NoError(t, all.Wait())
		require.Equal(t, granted+1, h.told(t, "credits.granted"))
	}
	require.Equal(t, credits.Balance{PlanAvailable: 20, TopUpAvailable: 200}, h.account(t, member).Balance)
	require.Equal(t, 11, h.told(t, "order.completed"))
}

func TestOneWebhookThatComesManyTimesAtOnceIsKeptOnce(t *testing.T) {
	t.Parallel()
	h := setup(t)
	o := h.begins(t, request(newMember(), "tote", ""))
	h.provider.Pay(o.SessionID)
	event := h.provider.Told()[0]
	var all errgroup.Group
	for range 24 {
		all.Go(func() error { return h.Receive(t.Context(), providertest.Payload(event), providertest.Signature) })
	}
	require.NoError(t, all.Wait())
	require.Equal(t, 1, h.count(t, `SELECT count(*) FROM webhook_events`))
	require.Len(t, h.jobs, 1, "and applied once")
}

func TestPressingTwiceAtOnceMakesOneOrderOfOneKey(t *testing.T) {
	t.Parallel()
	h := setup(t)
	r := request(newMember(), "core", "month")
	ids := make([]sales.Order, 12)
	var all errgroup.Group
	for i := range ids {
		all.Go(func() (err error) {
			ids[i], err = h.Start(t.Context(), r)
			return err
		})
	}
	require.NoError(t, all.Wait())
	for _, o := range ids {
		require.Equal(t, ids[0].ID, o.ID)
		require.Equal(t, ids[0].SessionID, o.SessionID)
	}
	require.Equal(t, 1, h.provider.Sessions())
	require.Equal(t, 1, h.count(t, `SELECT count(*) FROM orders`))
}

func TestASecondCheckoutClosesTheFirst(t *testing.T) {
	t.Parallel()
	h := setup(t)
	uid := newMember()
	first := h.begins(t, request(uid, "core", "month"))
	second := h.begins(t, request(uid, "core", "month"))
	require.Equal(t, sales.Closed, h.order(t, first.ID).State)
	require.Equal(t, sales.SessionExpired, h.provider.Pay(first.SessionID).State, "nobody can pay there any more")
	h.provider.Pay(second.SessionID)
	o, err := h.CompleteCheckout(t.Context(), uid, second.ID)
	require.NoError(t, err)
	require.Equal(t, sales.Completed, o.State)
}

func TestASecondCheckoutOfAMembershipFindsTheFirstPaid(t *testing.T) {
	t.Parallel()
	h := setup(t)
	uid := newMember()
	first := h.begins(t, request(uid, "core", "month"))
	h.provider.Pay(first.SessionID)
	_, err := h.Start(t.Context(), request(uid, "premium", "month"))
	requireReason(t, err, "MEMBERSHIP_CURRENT")
	require.Equal(t, sales.Completed, h.order(t, first.ID).State, "what was paid is given at once")
	require.Equal(t, "core", h.account(t, uid).Subscription.PlanID)
}

// Two tabs whose checkouts were opened at the same moment can both be paid.
func TestWhoPaysForAMembershipInTwoTabsGetsTheLaterPaymentBack(t *testing.T) {
	t.Parallel()
	h := setup(t)
	uid := newMember()
	// Both pages are opened before either order knows its own.
	first, second := h.openAtOnce(t, uid)
	h.provider.Pay(first.SessionID)
	h.provider.Pay(second.SessionID)
	h.deliver(t, h.provider.Told()...)
	h.deliver(t, h.provider.Told()...)
	states := []sales.OrderState{h.order(t, first.ID).State, h.order(t, second.ID).State}
	slices.Sort(states)
	require.Equal(t, []sales.OrderState{sales.Completed, sales.Returning}, states)
	kept, back := h.order(t, first.ID), h.order(t, second.ID)
	if kept.State != sales.Completed {
		kept, back = back, kept
	}
	require.Equal(t, back.Total, back.Refunded)
	require.Equal(t, back.Total, h.provider.Refunded(back.Payment))
	require.True(t, h.provider.Ended(back.Subscription), "it is charged no more")
	require.False(t, h.provider.Ended(kept.Subscription))
	require.Zero(t, h.provider.Refunded(kept.Payment))
	require.Equal(t, credits.Balance{PlanAvailable: 20}, h.account(t, uid).Balance)
	require.Equal(t, 1, h.told(t, "order.completed"))
	refunds := h.refunds(t)
	require.Len(t, refunds, 1)
	require.Equal(t, "second_membership", refunds[0].GetReason())
	require.Equal(t, "membership", refunds[0].GetLines()[0].GetKind())
	require.Equal(t, 1, h.told(t, "order.refunded"), "which brings the letter")
	require.Equal(t, 1, h.count(t, `SELECT count(*) FROM orders WHERE returned_at IS NOT NULL`))
}

// openAtOnce opens two pages for a member's membership of which neither closes the other.
func (h *harness) openAtOnce(t *testing.T, uid uuid.UUID) (first, second sales.Order) {
	t.Helper()
	open, waiting := make(chan struct{}), make(chan struct{}, 2)
	h.provider.Before(func(call string) {
		if call == "CreateSession" {
			waiting <- struct{}{}
			<-open
		}
	})
	var all errgroup.Group
	ctx := context.WithoutCancel(t.Context())
	start := func(into *sales.Order) func() error {
		return func() (err error) { *into, err = h.Start(ctx, request(uid, "core", "month")); return err }
	}
	all.Go(start(&first))
	all.Go(start(&second))
	<-waiting
	<-waiting
	h.provider.Before(nil)
	close(open)
	require.NoError(t, all.Wait())
	require.NotEqual(t, first.SessionID, second.SessionID)
	return first, second
}
