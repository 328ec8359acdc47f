package sales_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	eventsv1 "serein.app/proto/gen/serein/events/v1"
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
	require.Equal(t, 1, h.jobs.Waiting(), "and applied once")
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

// Neither tab sees the other's page when it begins: the older order gives way once it knows its own.
func TestTwoTabsThatBeginAtOnceLeaveOnePageOpen(t *testing.T) {
	t.Parallel()
	h := setup(t)
	for _, things := range [][]string{{"tote", ""}, {"pack-20", "", "tee", "S"}, {"core", "year"}} {
		uid := newMember()
		if things[0] == "pack-20" {
			h.buys(t, uid, "core", "month")
		}
		older, newer, refused := h.openAtOnce(t, uid, things...)
		require.Len(t, refused, 1, things)
		requireReason(t, refused[0], "VERSION_MISMATCH")
		require.Equal(t, sales.Closed, older.State, things)
		require.Equal(t, sales.SessionExpired, h.provider.Pay(older.SessionID).State, "nobody can pay there any more")
		h.provider.Pay(newer.SessionID)
		newer, err := h.CompleteCheckout(t.Context(), uid, newer.ID)
		require.NoError(t, err)
		require.Equal(t, sales.Completed, newer.State, things)
	}
}

// The page of the first tab is paid while its basket still stands in the second.
func TestWhatWasJustPaidInAnotherTabIsNotPaidAgainUnnoticed(t *testing.T) {
	t.Parallel()
	h := setup(t)
	uid := newMember()
	first := h.begins(t, request(uid, "tote", "", "tee", "S"))
	h.provider.Pay(first.SessionID)
	h.provider.Before(func(string) { h.pass(time.Second) })
	r := request(uid, "tote", "", "tee", "S")
	for range 2 {
		_, err := h.Start(t.Context(), r)
		requireReason(t, err, "VERSION_MISMATCH")
	}
	require.Equal(t, 1, h.provider.Sessions(), "no page was opened")
	require.Equal(t, sales.Completed, h.order(t, first.ID).State, "what was paid is given at once")
	require.Equal(t, 1, h.count(t, `SELECT count(*) FROM orders WHERE uid = $1 AND state = 'closed'`, uid))

	again := h.begins(t, request(uid, "tote", "", "tee", "S"))
	h.provider.Pay(again.SessionID)
	h.begins(t, request(uid, "tote", ""))
	require.Equal(t, sales.Completed, h.order(t, again.ID).State, "who wants it twice, or something else, may buy")
}

// Two tabs whose checkouts were opened at the same moment can both be paid, while the older page cannot be closed.
func TestWhoPaysForAMembershipInTwoTabsGetsTheLaterPaymentBack(t *testing.T) {
	t.Parallel()
	h := setup(t)
	uid := newMember()
	// Both pages are opened before either order knows its own.
	h.provider.Fail("ExpireSession", providertest.Away)
	first, second, refused := h.openAtOnce(t, uid, "core", "month")
	require.Len(t, refused, 1)
	requireReason(t, refused[0], "PAYMENT_PROVIDER_UNAVAILABLE")
	h.provider.Pay(first.SessionID)
	h.provider.Pay(second.SessionID)
	h.deliver(t, h.provider.Told()...)
	h.deliver(t, h.provider.Told()...)
	states := []sales.OrderState{h.order(t, first.ID).State, h.order(t, second.ID).State}
	slices.Sort(states)
	require.Equal(t, []sales.OrderState{sales.Completed, sales.Refunding}, states)
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
	refunds := payloads[*eventsv1.OrderRefunded](t, h, "order.refunded")
	require.Len(t, refunds, 1)
	require.Equal(t, "second_membership", refunds[0].GetReason())
	require.Equal(t, "membership", refunds[0].GetLines()[0].GetKind())
	require.Equal(t, 1, h.told(t, "order.refunded"), "which brings the letter")
	require.Equal(t, 1, h.count(t, `SELECT count(*) FROM orders WHERE returned_at IS NOT NULL`))
}

// openAtOnce opens two pages of a member for the same things, of which neither is known when the other order begins.
func (h *harness) openAtOnce(t *testing.T, uid uuid.UUID, things ...string) (older, newer sales.Order, refused []error) {
	t.Helper()
	open, waiting := make(chan struct{}), make(chan struct{}, 2)
	h.provider.Before(func(call string) {
		if call == "CreateSession" {
			waiting <- struct{}{}
			<-open
		}
	})
	before := h.count(t, `SELECT coalesce(max(number), 0) FROM orders`)
	answers := make(chan error, 2)
	ctx := context.WithoutCancel(t.Context())
	for range 2 {
		go func() {
			_, err := h.Start(ctx, request(uid, things...))
			answers <- err
		}()
	}
	<-waiting
	<-waiting
	h.provider.Before(nil)
	close(open)
	for range 2 {
		if err := <-answers; err != nil {
			refused = append(refused, err)
		}
	}
	rows, err := h.Pool.Query(t.Context(), `SELECT id FROM orders WHERE uid = $1 AND number > $2 ORDER BY number`, uid, before)
	require.NoError(t, err)
	ids, err := pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
	require.NoError(t, err)
	require.Len(t, ids, 2)
	older, newer = h.order(t, ids[0]), h.order(t, ids[1])
	require.NotEqual(t, older.SessionID, newer.SessionID)
	return older, newer, refused
}
