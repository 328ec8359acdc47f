package subscriptions_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	eventsv1 "serein.app/proto/gen/serein/events/v1"
	"serein.app/services/billing/internal/credits"
	"serein.app/services/billing/internal/plans"
	"serein.app/services/billing/internal/providertest"
	"serein.app/services/billing/internal/sales"
	"serein.app/services/billing/internal/subscriptions"
)

// fails lets a period end whose next is not paid.
func (h *harness) fails(tb testing.TB, sub string) {
	tb.Helper()
	h.provider.Declines(sub, true)
	h.turn(tb, sub)
	h.hear(tb)
}

func TestAFailedPaymentLeavesEverythingOpenAndIsToldThreeTimes(t *testing.T) {
	t.Parallel()
	h := setup(t)
	uid, sub := h.member(t)
	h.spend(t, uid, 4)
	h.fails(t, sub)
	ended := begin.AddDate(0, 1, 0)
	failed := h.clock()
	notices := func() (all []int32) {
		for _, e := range events[*eventsv1.SubscriptionPaymentFailed](t, h, "subscription.payment_failed") {
			all = append(all, e.GetNotice())
		}
		return all
	}
	require.Equal(t, []int32{1}, notices())
	for _, step := range []struct {
		at   time.Time
		want []int32
	}{
		{failed.Add(7*plans.Day - time.Microsecond), []int32{1}},
		{failed.Add(7 * plans.Day), []int32{1, 2}},
		{ended.Add(12*plans.Day - time.Microsecond), []int32{1, 2}},
		{ended.Add(12 * plans.Day), []int32{1, 2, 3}},
		{ended.Add(14*plans.Day - time.Microsecond), []int32{1, 2, 3}},
	} {
		h.at(step.at)
		h.provider.Try(sub) // the provider's own tries tell nobody
		h.hear(t)
		h.sweep(t)
		h.sweep(t)
		require.Equal(t, step.want, notices(), step.at)
		require.Equal(t, plans.InGrace, h.status(t, uid))
		require.NotEmpty(t, h.account(t, uid).Subscription.Entitlements(h.clock()))
		require.Equal(t, credits.Balance{PlanAvailable: 16}, h.account(t, uid).Balance, "its credits can be spent")
	}
	first := events[*eventsv1.SubscriptionPaymentFailed](t, h, "subscription.payment_failed")[0]
	require.Equal(t, ended.Add(14*plans.Day), first.GetAccessUntil().AsTime())
	require.Equal(t, ended, first.GetPeriodEndedAt().AsTime())
	require.Equal(t, int64(799), first.GetAmount())
	require.True(t, first.GetNextAttempt().AsTime().After(failed))
	require.Equal(t, failed, h.account(t, uid).Subscription.PaymentFailedAt)
}

func TestARenewalThatFailedStandsOnceInTheLedgerAndChangesNothing(t *testing.T) {
	t.Parallel()
	h := setup(t)
	uid, sub := h.member(t)
	h.spend(t, uid, 4)
	h.fails(t, sub)
	failed := h.clock()
	for range 3 { // more notices, and more looks
		h.pass(4 * plans.Day)
		h.provider.Try(sub)
		told := h.news()
		h.deliver(t, append(told, told...)...)
		h.sweep(t)
	}
	h.provider.Declines(sub, false)
	h.provider.Try(sub)
	h.hear(t)
	h.fails(t, sub)

	type line struct {
		kind            credits.Kind
		change, balance int64
	}
	var lines []line
	entries, err := h.store.Entries(t.Context(), uid, credits.Top, 100)
	require.NoError(t, err)
	for _, e := range entries {
		lines = append(lines, line{e.Kind, e.Change, e.BalanceAfter})
		if e.Kind == credits.FailedRenewal {
			require.Equal(t, []any{"Core", credits.PlanPool, ""}, []any{e.Description, e.Pool, e.Of()})
		}
	}
	require.Equal(t, []line{
		{credits.FailedRenewal, 0, 20}, {credits.Granted, 20, 20}, {credits.Expired, -16, 0}, {credits.FailedRenewal, 0, 16}, {credits.Spent, -4, 16}, {credits.Granted, 20, 20},
	}, lines)
	require.Equal(t, failed, entries[3].At)
	h.requireSound(t, uid)
}

// S3: to the microsecond, whether or not anybody looks, and here and at the provider.
func TestGraceEndsByTheClockAfterFourteenDays(t *testing.T) {
	t.Parallel()
	h := setup(t)
	uid, sub := h.member(t)
	h.fails(t, sub)
	over := begin.AddDate(0, 1, 0).Add(14 * plans.Day)
	h.at(over.Add(-time.Microsecond))
	require.True(t, h.account(t, uid).Subscription.Active(h.clock()))
	h.at(over)
	require.Equal(t, plans.Ended, h.status(t, uid), "nobody has swept")
	require.Empty(t, h.account(t, uid).Subscription.Entitlements(h.clock()))
	require.Zero(t, h.account(t, uid).Balance)
	h.sweep(t)
	h.sweep(t)
	told := events[*eventsv1.SubscriptionCancelled](t, h, "subscription.cancelled")
	require.Len(t, told, 1)
	require.Equal(t, "unpaid", told[0].GetReason())
	require.Equal(t, "Core", told[0].GetPlanName())
	require.True(t, h.provider.Ended(sub), "it is charged no more")
	require.Equal(t, "premium", h.buys(t, uid, "premium", "month").Membership().ProductID, "another may be bought")
	require.Equal(t, credits.Balance{PlanAvailable: 60}, h.account(t, uid).Balance)
}

func TestAMendedPaymentGrantsTheNewPeriodOnce(t *testing.T) {
	t.Parallel()
	h := setup(t)
	uid, sub := h.member(t)
	h.spend(t, uid, 4)
	h.fails(t, sub)
	h.pass(8 * plans.Day)
	h.sweep(t)
	h.provider.Declines(sub, false)
	h.provider.Try(sub)
	told := h.news()
	h.deliver(t, append(told, told...)...)
	h.sweep(t)
	a := h.account(t, uid)
	require.Equal(t, credits.Balance{PlanAvailable: 20}, a.Balance)
	require.Equal(t, plans.Active, a.Subscription.Status(h.clock()))
	require.Equal(t, begin.AddDate(0, 2, 0), a.Subscription.EndsAt)
	require.Zero(t, a.Subscription.PaymentFailedAt)
	require.Len(t, events[*eventsv1.SubscriptionRenewed](t, h, "subscription.renewed"), 1)
	// The notices of the next failure begin with the first.
	h.fails(t, sub)
	told3 := events[*eventsv1.SubscriptionPaymentFailed](t, h, "subscription.payment_failed")
	require.Len(t, told3, 3)
	require.Equal(t, int32(1), told3[2].GetNotice())
}

// A webhook of the payment that saved it was lost: the end asks first.
func TestAMembershipThatWasMendedInSilenceIsNotEnded(t *testing.T) {
	t.Parallel()
	h := setup(t)
	uid, sub := h.member(t)
	h.fails(t, sub)
	h.provider.Declines(sub, false)
	h.pass(10 * plans.Day)
	h.provider.Try(sub)
	h.news()
	h.at(begin.AddDate(0, 1, 0).Add(14 * plans.Day))
	h.provider.Fail("Subscription", providertest.Away)
	require.Error(t, h.SweepDue(t.Context()), "who cannot ask ends nothing")
	h.pass(10 * time.Minute)
	h.sweep(t)
	require.Equal(t, plans.Active, h.status(t, uid))
	require.Empty(t, events[*eventsv1.SubscriptionCancelled](t, h, "subscription.cancelled"))
}

// What is paid when the membership is over goes back: nothing is given for it any more.
func TestWhatIsPaidAfterTheEndGoesBack(t *testing.T) {
	t.Parallel()
	h := setup(t)
	uid, sub := h.member(t)
	h.fails(t, sub)
	h.at(begin.AddDate(0, 1, 0).Add(14 * plans.Day))
	require.NoError(t, h.SweepDue(t.Context())) // its job to end it at the provider comes later
	h.provider.Declines(sub, false)
	h.provider.Try(sub)
	h.hear(t)
	h.work(t)
	invoices := h.provider.InvoicesOf(sub)
	require.Equal(t, subscriptions.Paid, invoices[1].Status)
	require.Equal(t, int64(799), h.provider.Refunded(invoices[1].Payment))
	require.True(t, h.provider.Ended(sub))
	h.hear(t)
	returned := h.orders(t, uid)[0]
	require.Equal(t, sales.Refunding, returned.State)
	require.Equal(t, int64(799), returned.Refunded)
	require.Equal(t, plans.Ended, h.status(t, uid))
	require.Zero(t, h.account(t, uid).Balance)
	require.Equal(t, "refund", events[*eventsv1.OrderRefunded](t, h, "order.refunded")[0].GetReason())
	require.Empty(t, events[*eventsv1.SubscriptionRenewed](t, h, "subscription.renewed"))
}

// If billing learns of a failure late, it sends the notices that are still to come and none whose time has passed.
func TestAFailureFoundLateIsNotifiedOnceAndThenShortlyBeforeTheEnd(t *testing.T) {
	t.Parallel()
	h := setup(t)
	_, sub := h.member(t)
	h.provider.Declines(sub, true)
	h.turn(t, sub)
	h.news()
	h.at(begin.AddDate(0, 1, 0).Add(9 * plans.Day))
	h.sweep(t)
	h.at(begin.AddDate(0, 1, 0).Add(12 * plans.Day))
	h.sweep(t)
	h.at(begin.AddDate(0, 1, 0).Add(13 * plans.Day))
	h.sweep(t)
	told := events[*eventsv1.SubscriptionPaymentFailed](t, h, "subscription.payment_failed")
	require.Len(t, told, 2)
	require.Equal(t, int32(1), told[0].GetNotice())
	require.Equal(t, int32(3), told[1].GetNotice())
}
