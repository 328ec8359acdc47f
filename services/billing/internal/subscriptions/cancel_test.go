package subscriptions_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	eventsv1 "serein.app/proto/gen/serein/events/v1"
	"serein.app/services/billing/internal/credits"
	"serein.app/services/billing/internal/plans"
	"serein.app/services/billing/internal/providertest"
	"serein.app/services/billing/internal/sales"
)

func TestACancelledMembershipStaysOpenUntilItsPeriodEndsAndNoLonger(t *testing.T) {
	t.Parallel()
	h := setup(t)
	uid, sub := h.member(t)
	h.buys(t, uid, "pack-20", "")
	require.NoError(t, h.Cancel(t.Context(), uid, ""))
	require.NoError(t, h.Cancel(t.Context(), uid, ""), "again is the same")
	h.hear(t)
	ends := begin.AddDate(0, 1, 0)
	require.Equal(t, plans.Cancelling, h.status(t, uid))
	require.Equal(t, ends, h.account(t, uid).Subscription.AccessUntil())
	told := events[*eventsv1.SubscriptionCancellationScheduled](t, h, "subscription.cancellation_scheduled")
	require.Len(t, told, 1)
	require.Equal(t, ends, told[0].GetEndsAt().AsTime())
	h.at(ends.Add(-time.Microsecond))
	require.NotEmpty(t, h.account(t, uid).Subscription.Entitlements(h.clock()))
	require.Equal(t, int64(20), h.account(t, uid).Balance.PlanAvailable)
	h.at(ends)
	require.Empty(t, h.account(t, uid).Subscription.Entitlements(h.clock()), "nobody has swept")
	require.Equal(t, credits.Balance{TopUpAvailable: 20}, h.account(t, uid).Balance, "top-ups never end")
	h.provider.Turn(sub)
	h.hear(t)
	h.sweep(t)
	over := events[*eventsv1.SubscriptionCancelled](t, h, "subscription.cancelled")
	require.Len(t, over, 1)
	require.Equal(t, "cancelled", over[0].GetReason())
	require.True(t, h.provider.Ended(sub))
	require.Len(t, h.orders(t, uid), 2, "nothing was charged since")
	requireReason(t, h.Cancel(t.Context(), uid, ""), "SUBSCRIPTION_NOT_FOUND")
	requireReason(t, h.Keep(t.Context(), uid), "SUBSCRIPTION_NOT_FOUND")
}

func TestAMembershipThatIsKeptRenewsAndItsCreditsLastAsBefore(t *testing.T) {
	t.Parallel()
	h := setup(t)
	uid, sub := h.member(t)
	require.NoError(t, h.Cancel(t.Context(), uid, ""))
	h.pass(10 * plans.Day)
	require.NoError(t, h.Keep(t.Context(), uid))
	require.NoError(t, h.Keep(t.Context(), uid), "again is the same")
	h.hear(t)
	require.Equal(t, plans.Active, h.status(t, uid))
	require.Len(t, events[*eventsv1.SubscriptionReactivated](t, h, "subscription.reactivated"), 1)
	h.at(begin.AddDate(0, 1, 0).Add(time.Hour))
	require.Equal(t, int64(20), h.account(t, uid).Balance.PlanAvailable)
	h.turn(t, sub)
	h.hear(t)
	require.Equal(t, begin.AddDate(0, 2, 0), h.account(t, uid).Subscription.EndsAt)
}

func TestWhyAMemberCancelsIsToldCountedAndForgottenWhenTheyStay(t *testing.T) {
	t.Parallel()
	h := setup(t)
	uid, sub := h.member(t)
	kept := func() sales.CancelReason {
		read, err := h.provider.Subscription(t.Context(), sub)
		require.NoError(t, err)
		return read.CancelReason
	}
	require.NoError(t, h.Cancel(t.Context(), uid, sales.TooExpensive))
	require.NoError(t, h.Cancel(t.Context(), uid, sales.Unused), "the first stands")
	require.Equal(t, sales.TooExpensive, kept())
	h.hear(t)
	require.NoError(t, h.Keep(t.Context(), uid))
	require.Empty(t, kept())
	require.NoError(t, h.Cancel(t.Context(), uid, ""))
	h.hear(t)
	require.Empty(t, kept())
	var told []string
	for _, e := range events[*eventsv1.SubscriptionCancellationScheduled](t, h, "subscription.cancellation_scheduled") {
		told = append(told, e.GetReason())
	}
	require.Equal(t, []string{"too_expensive", ""}, told)
	require.Equal(t, []sales.CancelReason{sales.TooExpensive, ""}, h.whys, "each once, however often the event arrives")
}

// If the process dies between the provider's answer and its own commit, the next one reads the member's reason back and publishes it.
func TestWhyAMemberCancelsIsFoundAgainWhereTheAnswerWasLost(t *testing.T) {
	t.Parallel()
	h := setup(t)
	uid, sub := h.member(t)
	_, err := h.provider.CancelAtPeriodEnd(t.Context(), "", sub, true, sales.Unused)
	require.NoError(t, err)
	h.hear(t)
	told := events[*eventsv1.SubscriptionCancellationScheduled](t, h, "subscription.cancellation_scheduled")
	require.Len(t, told, 1)
	require.Equal(t, "unused", told[0].GetReason())
	require.Equal(t, plans.Cancelling, h.status(t, uid))
}

// The answer was lost, or the provider has a fault: what it has is read back.
func TestACancellationWhoseAnswerWasLostIsFoundAgain(t *testing.T) {
	t.Parallel()
	h := setup(t)
	for _, fault := range []providertest.Fault{providertest.Lost, providertest.BrokenAfter} {
		uid, _ := h.member(t)
		h.provider.Fail("CancelAtPeriodEnd", fault)
		require.NoError(t, h.Cancel(t.Context(), uid, ""))
		require.Equal(t, plans.Cancelling, h.status(t, uid))
	}
	for _, fault := range []providertest.Fault{providertest.Away, providertest.Broken} {
		uid, _ := h.member(t)
		h.provider.Fail("CancelAtPeriodEnd", fault)
		requireReason(t, h.Cancel(t.Context(), uid, ""), "PAYMENT_PROVIDER_UNAVAILABLE")
		require.Equal(t, plans.Active, h.status(t, uid))
		require.NoError(t, h.Cancel(t.Context(), uid, ""), "the next try is not repeated the fault")
	}
}

func TestWhoCancelsAtThePagesOfTheProviderIsTakenAtTheirWord(t *testing.T) {
	t.Parallel()
	h := setup(t)
	uid, sub := h.member(t)
	_, err := h.provider.CancelAtPeriodEnd(t.Context(), "", sub, true, "")
	require.NoError(t, err)
	h.hear(t)
	require.Equal(t, plans.Cancelling, h.status(t, uid))
	require.NoError(t, h.provider.EndSubscription(t.Context(), "", sub)) // an operator, at once
	h.hear(t)
	require.Equal(t, plans.Ended, h.status(t, uid))
	require.Zero(t, h.account(t, uid).Balance)
	require.Len(t, events[*eventsv1.SubscriptionCancelled](t, h, "subscription.cancelled"), 1)
}

// The period turned between the member's look and their click: what is not paid yet is never charged.
func TestCancellingWhileTheRenewalIsOnItsWayEndsItWithoutAFurtherCharge(t *testing.T) {
	t.Parallel()
	h := setup(t)
	for name, declines := range map[string]bool{"in grace": true, "renewed just now": false} {
		uid, sub := h.member(t)
		h.provider.Declines(sub, declines)
		turned, err := h.provider.Subscription(t.Context(), sub)
		require.NoError(t, err)
		h.at(turned.PeriodEnd.Add(time.Hour))
		h.provider.Turn(sub)
		require.NoError(t, h.Cancel(t.Context(), uid, ""), name)
		h.hear(t)
		h.work(t)
		want := map[bool]plans.Status{true: plans.Ended, false: plans.Cancelling}[declines]
		require.Equal(t, want, h.status(t, uid), name)
		require.Equal(t, declines, h.provider.Ended(sub), name)
		require.Len(t, h.orders(t, uid), map[bool]int{true: 1, false: 2}[declines], name)
		scheduled := 0
		for _, e := range events[*eventsv1.SubscriptionCancellationScheduled](t, h, "subscription.cancellation_scheduled") {
			if e.GetUid() == uid.String() {
				scheduled++
			}
		}
		require.Equal(t, map[bool]int{true: 0, false: 1}[declines], scheduled, "nothing is to come of what has ended: %s", name)
		h.at(begin)
	}
}

// It was kept in the last second, and looked at in the first of the next period.
func TestWhoKeepsAMembershipInTheLastMomentKeepsIt(t *testing.T) {
	t.Parallel()
	h := setup(t)
	uid, sub := h.member(t)
	require.NoError(t, h.Cancel(t.Context(), uid, ""))
	_, err := h.provider.CancelAtPeriodEnd(t.Context(), "", sub, false, "")
	require.NoError(t, err)
	h.news()
	h.turn(t, sub)
	h.news()
	h.sweep(t)
	require.Equal(t, plans.Active, h.status(t, uid))
	require.Equal(t, begin.AddDate(0, 2, 0), h.account(t, uid).Subscription.EndsAt)
	require.Equal(t, int64(20), h.account(t, uid).Balance.PlanAvailable)
}

// Older news never overwrites newer: what was read before somebody else wrote is read again.
func TestOlderNewsIsNotAppliedOverNewer(t *testing.T) {
	t.Parallel()
	h := setup(t)
	uid, sub := h.member(t)
	slow := h.service(h.store)
	read, go_ := make(chan struct{}), make(chan struct{})
	var once bool
	h.provider.Before(func(call string) {
		if call == "Invoices" && !once { // it has read the subscription as it was
			once = true
			close(read)
			<-go_
		}
	})
	_, err := h.provider.CancelAtPeriodEnd(t.Context(), "", sub, true, "")
	require.NoError(t, err)
	done := make(chan error)
	go func() { _, err := slow.Settle(context.WithoutCancel(t.Context()), sub); done <- err }()
	<-read
	_, err = h.provider.CancelAtPeriodEnd(t.Context(), "", sub, false, "")
	require.NoError(t, err)
	require.NoError(t, h.provider.EndSubscription(t.Context(), "", sub))
	_, err = h.Settle(t.Context(), sub)
	require.NoError(t, err)
	require.Equal(t, plans.Ended, h.status(t, uid))
	close(go_)
	require.NoError(t, <-done)
	require.Equal(t, plans.Ended, h.status(t, uid))
	require.Empty(t, events[*eventsv1.SubscriptionCancellationScheduled](t, h, "subscription.cancellation_scheduled"))
	require.Len(t, events[*eventsv1.SubscriptionCancelled](t, h, "subscription.cancelled"), 1)
}

func TestAMemberWithoutAMembershipHasNothingToCancelKeepOrChange(t *testing.T) {
	t.Parallel()
	h := setup(t)
	nobody, onTrial := uuid.New(), uuid.New()
	h.trial(t, onTrial)
	for _, uid := range []uuid.UUID{nobody, onTrial} {
		requireReason(t, h.Cancel(t.Context(), uid, ""), "SUBSCRIPTION_NOT_FOUND")
		requireReason(t, h.Keep(t.Context(), uid), "SUBSCRIPTION_NOT_FOUND")
		_, err := h.PreviewChange(t.Context(), uid, "premium", "month")
		requireReason(t, err, "SUBSCRIPTION_NOT_FOUND")
	}
	require.NotErrorIs(t, h.Cancel(t.Context(), nobody, ""), context.Canceled)
}
