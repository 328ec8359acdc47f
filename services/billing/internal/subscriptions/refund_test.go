package subscriptions_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	eventsv1 "serein.app/proto/gen/serein/events/v1"
	"serein.app/services/billing/internal/credits"
	"serein.app/services/billing/internal/plans"
)

// The running period's money went back whole: the membership ends, here and at the provider.
func TestAFullRefundOfTheRunningPeriodEndsTheMembership(t *testing.T) {
	t.Parallel()
	h := setup(t)
	for name, disputed := range map[string]bool{"a refund": false, "a dispute": true} {
		uid, sub := h.member(t)
		ended := len(events[*eventsv1.SubscriptionCancelled](t, h, "subscription.cancelled"))
		h.at(begin.AddDate(0, 1, 0).Add(time.Hour))
		h.provider.Turn(sub)
		h.hear(t)
		h.spend(t, uid, 3)
		o := h.orders(t, uid)[0]
		h.deliver(t, h.provider.GiveBack(o.Payment, o.Charged(), disputed))
		require.Equal(t, plans.Ended, h.status(t, uid), name)
		require.Zero(t, h.account(t, uid).Balance, name)
		require.True(t, h.provider.Ended(sub), name)
		told := events[*eventsv1.SubscriptionCancelled](t, h, "subscription.cancelled")
		require.Len(t, told, ended+1, name)
		require.Equal(t, "refund", told[ended].GetReason(), name)
		h.sweep(t)
		h.hear(t)
		require.Equal(t, plans.Ended, h.status(t, uid), name)
		h.requireSound(t, uid)
		h.at(begin)
	}
}

func TestARefundOfAnEarlierPeriodTakesNothingOfTheOneThatRuns(t *testing.T) {
	t.Parallel()
	h := setup(t)
	uid, sub := h.member(t)
	first := h.orders(t, uid)[0]
	h.turn(t, sub)
	h.hear(t)
	h.deliver(t, h.provider.GiveBack(first.Payment, first.Charged(), false))
	require.Equal(t, plans.Active, h.status(t, uid))
	require.False(t, h.provider.Ended(sub))
	require.Equal(t, credits.Balance{PlanAvailable: 20}, h.account(t, uid).Balance)
	require.Equal(t, first.Charged(), h.orders(t, uid)[1].Refunded)
}

func TestAPartOfARenewalsMoneyTakesThatPartOfItsCredits(t *testing.T) {
	t.Parallel()
	h := setup(t)
	uid, sub := h.member(t)
	h.turn(t, sub)
	h.hear(t)
	h.spend(t, uid, 15)
	o := h.orders(t, uid)[0]
	h.deliver(t, h.provider.GiveBack(o.Payment, 200, false))
	require.Equal(t, credits.Balance{}, h.account(t, uid).Balance, "5 of 20 for 200 of 799, and 5 were left")
	require.Equal(t, plans.Active, h.status(t, uid))
	h.requireSound(t, uid)
}

func TestEachPartOfARenewalsMoneyTakesItsOwnPartAlone(t *testing.T) {
	t.Parallel()
	h := setup(t)
	uid, sub := h.member(t)
	h.turn(t, sub)
	h.hear(t)
	o := h.orders(t, uid)[0]
	for _, left := range []int64{15, 10, 5} {
		h.deliver(t, h.provider.GiveBack(o.Payment, 200, false))
		require.Equal(t, credits.Balance{PlanAvailable: left}, h.account(t, uid).Balance)
	}
	h.requireSound(t, uid)
}

// A change's order paid for the difference: its money takes the difference's credits, and the membership goes on.
func TestARefundOfAChangeTakesBackWhatTheChangeGave(t *testing.T) {
	t.Parallel()
	h := setup(t)
	uid, sub := h.member(t)
	h.halfway(t, uid, "premium", "month")
	require.Equal(t, credits.Balance{PlanAvailable: 40}, h.account(t, uid).Balance, "20, and half of the difference between 20 and 60")
	o := h.orders(t, uid)[0]
	h.deliver(t, h.provider.GiveBack(o.Payment, o.Charged(), false))
	require.Equal(t, credits.Balance{PlanAvailable: 20}, h.account(t, uid).Balance)
	require.Equal(t, plans.Active, h.status(t, uid))
	require.False(t, h.provider.Ended(sub))
	// And the order that paid for the period takes what it gave, though its grant was replaced by the change's.
	first := h.orders(t, uid)[1]
	h.deliver(t, h.provider.GiveBack(first.Payment, first.Charged(), false))
	require.Zero(t, h.account(t, uid).Balance)
	require.Equal(t, plans.Ended, h.status(t, uid))
	h.requireSound(t, uid)
}

// A year that was begun by a change is paid for by the change's order.
func TestAFullRefundOfAChangeThatBeganAPeriodEndsTheMembership(t *testing.T) {
	t.Parallel()
	h := setup(t)
	uid, sub := h.member(t)
	h.halfway(t, uid, "core", "year")
	o := h.orders(t, uid)[0]
	h.deliver(t, h.provider.GiveBack(o.Payment, o.Charged(), false))
	require.Equal(t, plans.Ended, h.status(t, uid))
	require.True(t, h.provider.Ended(sub))
	require.Zero(t, h.account(t, uid).Balance)
}
