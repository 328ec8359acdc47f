package subscriptions_test

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	eventsv1 "serein.app/proto/gen/serein/events/v1"
	"serein.app/services/billing/internal/credits"
	"serein.app/services/billing/internal/plans"
	"serein.app/services/billing/internal/sales"
)

// What a period gives does not wait for a payment that could go back.
func TestAPeriodThatWasPaidByHandIsGivenAndIsInNoBooks(t *testing.T) {
	t.Parallel()
	h := setup(t)
	uid, sub := h.member(t)
	h.spend(t, uid, 5)
	h.turn(t, sub)
	h.provider.PaidByHand(sub)
	_, err := h.Settle(t.Context(), sub)
	require.NoError(t, err)
	require.Equal(t, int64(20), h.account(t, uid).Balance.PlanAvailable)
	require.Equal(t, begin.AddDate(0, 2, 0), h.account(t, uid).Subscription.EndsAt)
	require.Len(t, h.orders(t, uid), 1, "no payment of the provider's could be given back")
}

func TestARenewalGrantsThePeriodsCreditsOnceAndReplacesWhatWasLeft(t *testing.T) {
	t.Parallel()
	h := setup(t)
	uid, sub := h.member(t)
	h.buys(t, uid, "pack-20", "")
	h.spend(t, uid, 5)
	h.turn(t, sub)
	require.Equal(t, plans.Active, h.status(t, uid), "a member whose period has ended and is billed soon has a membership")
	told := h.news()
	h.deliver(t, told...)
	h.deliver(t, told...)
	for range 3 {
		_, err := h.Settle(t.Context(), sub)
		require.NoError(t, err)
	}
	h.sweep(t)
	a := h.account(t, uid)
	require.Equal(t, credits.Balance{PlanAvailable: 20, TopUpAvailable: 20}, a.Balance)
	require.Equal(t, begin.AddDate(0, 1, 0), a.Subscription.StartsAt)
	require.Equal(t, "For a steady practice", a.Subscription.PlanDescription)
	require.Equal(t, begin.AddDate(0, 2, 0), a.Subscription.EndsAt)
	require.Equal(t, 2, h.count(t, `SELECT count(*) FROM entries WHERE cause LIKE 'subscription:%' AND from_account = 'issued'`), "one a period")
	require.Len(t, events[*eventsv1.SubscriptionRenewed](t, h, "subscription.renewed"), 1)
	h.requireSound(t, uid)
}

// Every paid invoice after the first is an order, with all that an order has.
func TestARenewalIsAnOrderOfItsOwn(t *testing.T) {
	t.Parallel()
	h := setup(t)
	uid, sub := h.member(t)
	h.turn(t, sub)
	h.hear(t)
	orders := h.orders(t, uid)
	require.Len(t, orders, 2)
	o := orders[0]
	require.Equal(t, sales.Renewal, o.Cause)
	require.Equal(t, sales.Means{Kind: "card", Brand: "visa", Last4: h.state(t, o.UID).Card.Last4}, o.PaidBy)
	require.Equal(t, sales.Completed, o.State)
	require.Equal(t, int64(799), o.Charged())
	require.Equal(t, int64(133), o.VAT())
	require.Equal(t, "Core", o.Membership().Name)
	require.Greater(t, o.Sequence, orders[1].Sequence)
	receipt, err := h.seller.Receipt(t.Context(), uid, o.ID)
	require.NoError(t, err)
	require.Equal(t, o.Number(), receipt.Number())
	completed := events[*eventsv1.OrderCompleted](t, h, "order.completed")
	require.Equal(t, "checkout", completed[0].GetCause())
	require.Equal(t, begin.AddDate(0, 1, 0), completed[0].GetPeriodEndsAt().AsTime())
	require.Equal(t, "renewal", completed[1].GetCause())
	require.Equal(t, begin.AddDate(0, 2, 0), completed[1].GetPeriodEndsAt().AsTime())
	require.Equal(t, o.ID.String(), events[*eventsv1.SubscriptionRenewed](t, h, "subscription.renewed")[0].GetOrderId())
}

// The four events of a renewal in all 24 orders, each doubled; and with each left out.
func TestTheEventsOfARenewalComeToTheSameInEveryOrderDoubledAndDropped(t *testing.T) {
	t.Parallel()
	h := setup(t)
	uids := map[string]bool{}
	for _, drop := range []int{0, 1} {
		for _, order := range permutations(4) {
			uid, sub := h.member(t)
			uids[sub] = true
			h.at(begin.AddDate(0, 1, 0).Add(time.Hour))
			h.provider.Turn(sub)
			told := h.news()
			require.Len(t, told, 4)
			for _, i := range order[drop:] {
				h.deliver(t, told[i], told[i])
			}
			a := h.account(t, uid)
			require.Equal(t, credits.Balance{PlanAvailable: 20}, a.Balance, order)
			require.Equal(t, begin.AddDate(0, 2, 0), a.Subscription.EndsAt, order)
			h.at(begin)
		}
	}
	require.Len(t, events[*eventsv1.SubscriptionRenewed](t, h, "subscription.renewed"), len(uids))
	require.Equal(t, len(uids), h.count(t, `SELECT count(*) FROM orders WHERE cause = 'renewal'`))
}

func permutations(n int) (all [][]int) {
	if n == 0 {
		return [][]int{nil}
	}
	for _, shorter := range permutations(n - 1) {
		for at := range n {
			all = append(all, slices.Insert(slices.Clone(shorter), at, n-1))
		}
	}
	return all
}

// No webhook came at all: the clock finds what is due, and one that cannot be read keeps no other waiting.
func TestARenewalWhoseWebhooksAreLostIsFoundByTheSweep(t *testing.T) {
	t.Parallel()
	h := setup(t)
	first, lost := h.member(t)
	second, other := h.member(t)
	h.turn(t, lost)
	h.provider.Turn(other)
	h.news()
	h.provider.Fail("Subscription", 1)
	require.Error(t, h.SweepDue(t.Context()))
	require.Equal(t, 1, h.count(t, `SELECT count(*) FROM subscriptions WHERE ends_at = $1`, begin.AddDate(0, 2, 0)), "the other was settled")
	h.pass(10 * time.Minute)
	h.sweep(t)
	require.Equal(t, begin.AddDate(0, 2, 0), h.account(t, first).Subscription.EndsAt)
	require.Equal(t, begin.AddDate(0, 2, 0), h.account(t, second).Subscription.EndsAt)
	require.Zero(t, h.mended, "that is the clock's own work")
}

// Billing was away for months: each month is in the books, and the credits are those of the one that runs.
func TestWhatWasRenewedWhileNobodyListenedIsInTheBooks(t *testing.T) {
	t.Parallel()
	h := setup(t)
	uid, sub := h.member(t)
	for range 3 {
		h.turn(t, sub)
	}
	h.news()
	h.sweep(t)
	require.Len(t, h.orders(t, uid), 4)
	require.Equal(t, begin.AddDate(0, 4, 0), h.account(t, uid).Subscription.EndsAt)
	require.Equal(t, credits.Balance{PlanAvailable: 20}, h.account(t, uid).Balance)
}

// A refund of a further period may be told before its payment was.
func TestARefundThatIsToldBeforeItsRenewalComesToTheSame(t *testing.T) {
	t.Parallel()
	h := setup(t)
	uid, sub := h.member(t)
	h.turn(t, sub)
	told := h.news()
	invoices := h.provider.InvoicesOf(sub)
	h.deliver(t, h.provider.GiveBack(invoices[1].Payment, 400, false))
	h.deliver(t, told...)
	require.Equal(t, int64(400), h.orders(t, uid)[0].Refunded)
	require.Equal(t, credits.Balance{PlanAvailable: 10}, h.account(t, uid).Balance)
}
