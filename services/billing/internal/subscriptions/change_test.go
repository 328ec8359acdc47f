package subscriptions_test

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	eventsv1 "serein.app/proto/gen/serein/events/v1"
	"serein.app/services/billing/internal/credits"
	"serein.app/services/billing/internal/plans"
	"serein.app/services/billing/internal/providertest"
	"serein.app/services/billing/internal/sales"
	"serein.app/services/billing/internal/subscriptions"
)

// half of March.
const half = 31 * 12 * time.Hour

// change asks for what was quoted.
func change(uid uuid.UUID, q subscriptions.Quote) subscriptions.ChangeRequest {
	return subscriptions.ChangeRequest{UID: uid, Key: uuid.NewString(), Plan: q.Item.ProductID, Period: q.Item.Size, At: q.At, Amount: q.Amount}
}

// atOnce asks for a change at once.
func atOnce(uid uuid.UUID, plan, period string) subscriptions.ChangeRequest {
	return subscriptions.ChangeRequest{UID: uid, Key: uuid.NewString(), Plan: plan, Period: period}
}

// halfway changes a member's plan in the middle of their first month.
func (h *harness) halfway(tb testing.TB, uid uuid.UUID, plan, period string) subscriptions.Quote {
	tb.Helper()
	h.at(begin.Add(half))
	q, err := h.PreviewChange(tb.Context(), uid, plan, period)
	require.NoError(tb, err)
	h.pass(time.Minute)
	require.NoError(tb, h.ChangePlan(tb.Context(), change(uid, q)))
	h.hear(tb)
	return q
}

func TestAChangeChargesAndGivesExactlyWhatWasQuoted(t *testing.T) {
	t.Parallel()
	h := setup(t)
	uid, sub := h.member(t)
	h.spend(t, uid, 7)
	q := h.halfway(t, uid, "premium", "month")
	require.Equal(t, int64(250), q.Amount, "half of the difference of 500")
	require.Equal(t, int64(13+30-10), q.PlanCredits)
	require.Equal(t, begin.AddDate(0, 1, 0), q.NextChargeAt)
	a := h.account(t, uid)
	require.Equal(t, q.PlanCredits, a.Balance.PlanAvailable)
	require.Equal(t, "premium", a.Subscription.PlanID)
	require.Equal(t, int64(1299), a.Subscription.Amount)
	require.Equal(t, int64(60), a.Subscription.PeriodCredits)
	require.Equal(t, q.PlanCredits, a.Subscription.GrantedCredits, "what there is to begin with after the change")
	require.Equal(t, begin.AddDate(0, 1, 0), a.Subscription.EndsAt, "the period stays")
	o := h.orders(t, uid)[0]
	require.Equal(t, sales.PlanChange, o.Cause)
	require.Equal(t, int64(250), o.Charged())
	require.Equal(t, int64(20), o.Membership().Credits)
	told := events[*eventsv1.SubscriptionChanged](t, h, "subscription.changed")
	require.Len(t, told, 1)
	require.Equal(t, int64(250), told[0].GetAmount())
	require.Equal(t, int64(33), told[0].GetPlanCredits())
	require.Equal(t, int64(1299), told[0].GetNextAmount())
	require.Equal(t, "Core", told[0].GetFromName())
	require.Equal(t, "Premium", told[0].GetToName())
	require.Equal(t, []int64{650, 400}, []int64{told[0].GetPlanAmount(), told[0].GetUnusedAmount()}, "which come to it")
	h.spend(t, uid, 3)
	require.Equal(t, q.PlanCredits, h.account(t, uid).Subscription.GrantedCredits, "whatever is spent of it")
	h.turn(t, sub)
	h.hear(t)
	require.Equal(t, credits.Balance{PlanAvailable: 60}, h.account(t, uid).Balance)
	require.Equal(t, int64(60), h.account(t, uid).Subscription.GrantedCredits)
	require.Equal(t, int64(1299), h.orders(t, uid)[0].Charged())
	h.requireSound(t, uid)
}

func TestAChangeToAYearBeginsItAtOnce(t *testing.T) {
	t.Parallel()
	h := setup(t)
	uid, _ := h.member(t)
	q := h.halfway(t, uid, "core", "year")
	a := h.account(t, uid)
	require.Equal(t, int64(7990-400), h.orders(t, uid)[0].Charged(), "less what is left of the month")
	require.Equal(t, int64(20+240-10), a.Balance.PlanAvailable)
	require.Equal(t, q.At, a.Subscription.StartsAt)
	require.Equal(t, q.At.AddDate(1, 0, 0), a.Subscription.EndsAt)
	require.Equal(t, "year", a.Subscription.Period)
}

// The year's own renewal is no renewal of the months that took its place.
func TestAYearThatHasRenewedIsChangedIntoMonths(t *testing.T) {
	t.Parallel()
	h := setup(t)
	uid := uuid.Must(uuid.NewV7())
	sub := h.buys(t, uid, "core", "year").Subscription
	h.turn(t, sub)
	h.hear(t)
	renewed := len(events[*eventsv1.SubscriptionRenewed](t, h, "subscription.renewed"))
	h.pass(60 * plans.Day)
	at := h.clock()
	require.NoError(t, h.ChangePlan(t.Context(), atOnce(uid, "core", "month")))
	h.hear(t)
	h.sweep(t)
	a := h.account(t, uid)
	require.Equal(t, "month", a.Subscription.Period)
	require.Equal(t, at, a.Subscription.StartsAt)
	require.Equal(t, at.AddDate(0, 1, 0), a.Subscription.EndsAt)
	require.Len(t, events[*eventsv1.SubscriptionRenewed](t, h, "subscription.renewed"), renewed)
	h.requireSound(t, uid)
}

// What a cheaper plan leaves over is credited to the next payments, and nobody is charged.
func TestAChangeToLessIsCreditedToTheNextPayments(t *testing.T) {
	t.Parallel()
	h := setup(t)
	uid := uuid.New()
	sub := h.buys(t, uid, "premium", "month").Subscription
	q := h.halfway(t, uid, "core", "month")
	require.Equal(t, int64(-250), q.Amount)
	require.Equal(t, int64(60+10-30), h.account(t, uid).Balance.PlanAvailable)
	require.Len(t, h.orders(t, uid), 1, "nothing was charged")
	require.Equal(t, int64(-250), events[*eventsv1.SubscriptionChanged](t, h, "subscription.changed")[0].GetAmount())
	h.turn(t, sub)
	h.hear(t)
	require.Equal(t, int64(799-250), h.orders(t, uid)[0].Charged())
	require.Equal(t, credits.Balance{PlanAvailable: 20}, h.account(t, uid).Balance)
}

// A member who has spent the credits that a smaller plan would take back keeps the larger plan until it renews.
func TestCreditsThatAreSpentCannotBePaidBack(t *testing.T) {
	t.Parallel()
	h := setup(t)
	uid := uuid.New()
	h.buys(t, uid, "premium", "month")
	h.spend(t, uid, 55)
	h.at(begin.Add(half))
	_, err := h.PreviewChange(t.Context(), uid, "core", "month")
	requireReason(t, err, "CHANGE_NOT_POSSIBLE")
	require.Equal(t, "premium", h.account(t, uid).Subscription.PlanID)
}

func TestAChangeThatCannotBeChangesNothingAndSaysWhy(t *testing.T) {
	t.Parallel()
	h := setup(t)
	uid, sub := h.member(t)
	preview := func(plan, period string) error {
		_, err := h.PreviewChange(t.Context(), uid, plan, period)
		return err
	}
	requireReason(t, preview("core", "month"), "MEMBERSHIP_CURRENT")
	requireReason(t, preview("premium", "year"), "ITEM_NOT_SOLD")
	requireReason(t, preview("pack-20", "month"), "ITEM_NOT_SOLD")
	q, err := h.PreviewChange(t.Context(), uid, "premium", "month")
	require.NoError(t, err)
	wrong, late, early := change(uid, q), change(uid, q), change(uid, q)
	wrong.Amount--
	early.At = early.At.Add(time.Second)
	requireReason(t, h.ChangePlan(t.Context(), wrong), "VERSION_MISMATCH")
	requireReason(t, h.ChangePlan(t.Context(), early), "VERSION_MISMATCH")
	h.pass(subscriptions.QuoteTime + time.Second)
	requireReason(t, h.ChangePlan(t.Context(), late), "VERSION_MISMATCH")
	require.NoError(t, h.Cancel(t.Context(), uid, ""))
	requireReason(t, preview("premium", "month"), "CHANGE_NOT_POSSIBLE")
	require.NoError(t, h.Keep(t.Context(), uid))
	require.NoError(t, preview("premium", "month"))
	h.at(begin.AddDate(0, 1, 0)) // the next period is not billed yet
	requireReason(t, preview("premium", "month"), "CHANGE_NOT_POSSIBLE")
	h.fails(t, sub)
	requireReason(t, preview("premium", "month"), "CHANGE_NOT_POSSIBLE")
	require.Zero(t, h.provider.Calls("ChangePrice"))
	require.Empty(t, events[*eventsv1.SubscriptionChanged](t, h, "subscription.changed"))
}

func TestACardThatIsRefusedLeavesThePlanAsItWas(t *testing.T) {
	t.Parallel()
	h := setup(t)
	uid, sub := h.member(t)
	h.at(begin.Add(half))
	q, err := h.PreviewChange(t.Context(), uid, "premium", "month")
	require.NoError(t, err)
	h.provider.Declines(sub, true)
	r := change(uid, q)
	requireReason(t, h.ChangePlan(t.Context(), r), "CHANGE_NOT_PAID")
	h.hear(t)
	require.Equal(t, "core", h.account(t, uid).Subscription.PlanID)
	require.Equal(t, credits.Balance{PlanAvailable: 20}, h.account(t, uid).Balance)
	require.Len(t, h.orders(t, uid), 1)
	requireReason(t, h.ChangePlan(t.Context(), atOnce(uid, "premium", "month")), "CHANGE_NOT_PAID") // and nothing is under way
	h.provider.Declines(sub, false)
	require.NoError(t, h.ChangePlan(t.Context(), r), "the same request, with the card mended")
	require.Equal(t, "premium", h.account(t, uid).Subscription.PlanID)
}

func TestOneKeyChangesOnce(t *testing.T) {
	t.Parallel()
	h := setup(t)
	uid, _ := h.member(t)
	h.at(begin.Add(half))
	q, err := h.PreviewChange(t.Context(), uid, "premium", "month")
	require.NoError(t, err)
	r := change(uid, q)
	var all errgroup.Group
	for range 4 {
		all.Go(func() error { return h.ChangePlan(t.Context(), r) })
	}
	require.NoError(t, all.Wait(), "all four are told that it was done")
	require.NoError(t, h.ChangePlan(t.Context(), r))
	h.pass(time.Hour)
	require.NoError(t, h.ChangePlan(t.Context(), r), "long after its quote has run out")
	h.hear(t)
	require.Equal(t, int64(40), h.account(t, uid).Balance.PlanAvailable)
	require.Len(t, h.orders(t, uid), 2)
	require.Len(t, events[*eventsv1.SubscriptionChanged](t, h, "subscription.changed"), 1)
	for _, is := range []func(*subscriptions.ChangeRequest){
		func(r *subscriptions.ChangeRequest) { r.Period = "year" },
		func(r *subscriptions.ChangeRequest) { r.Amount++ },
		func(r *subscriptions.ChangeRequest) { r.At = r.At.Add(time.Second) },
	} {
		other := r
		is(&other)
		requireReason(t, h.ChangePlan(t.Context(), other), "IDEMPOTENCY_KEY_REUSED")
	}
}

// Two calls by one key find no change; one of them keeps it and is with the provider while the other has still to keep its own.
func TestWhoIsOvertakenByTheSameKeyIsToldThatItWasDone(t *testing.T) {
	t.Parallel()
	h := setup(t)
	uid, _ := h.member(t)
	h.at(begin.Add(half))
	q, err := h.PreviewChange(t.Context(), uid, "premium", "month")
	require.NoError(t, err)
	r := change(uid, q)
	ask := func() error { return h.ChangePlan(t.Context(), r) }
	asking, answered := make(chan struct{}), make(chan struct{})
	var faster errgroup.Group
	var overtaking, waiting atomic.Bool
	h.provider.Before(func(call string) {
		switch {
		case call == "PreviewChange" && overtaking.CompareAndSwap(false, true):
			faster.Go(ask)
			<-asking
		case call == "ChangePrice" && waiting.CompareAndSwap(false, true):
			close(asking)
			<-answered
		}
	})
	slower := ask()
	close(answered)
	require.NoError(t, slower)
	require.NoError(t, faster.Wait())
	h.hear(t)
	require.Equal(t, int64(40), h.account(t, uid).Balance.PlanAvailable)
	require.Len(t, h.orders(t, uid), 2)
	require.Len(t, events[*eventsv1.SubscriptionChanged](t, h, "subscription.changed"), 1)
}

// The period after a change that pays money back costs less: that is what the quote says, the letter, and what is charged.
func TestTheNextPaymentIsQuotedWithWhatIsCredited(t *testing.T) {
	t.Parallel()
	h := setup(t)
	uid := uuid.Must(uuid.NewV7())
	sub := h.buys(t, uid, "premium", "month").Subscription
	q := h.halfway(t, uid, "core", "month")
	require.Equal(t, int64(-250), q.Amount, "half of the difference of 500")
	require.Equal(t, int64(799-250), q.Next)
	told := events[*eventsv1.SubscriptionChanged](t, h, "subscription.changed")
	require.Len(t, told, 1)
	require.Equal(t, int64(799-250), told[0].GetNextAmount())
	require.NotEmpty(t, told[0].GetChangeId())
	h.turn(t, sub)
	invoices := h.provider.InvoicesOf(sub)
	require.Equal(t, q.Next, invoices[len(invoices)-1].Charged)
}

// What a change would pay back must be there when it is made, not only when it was asked for first.
func TestAChangeThatIsAskedForAgainIsNotMadeWithWhatIsSpentMeanwhile(t *testing.T) {
	t.Parallel()
	h := setup(t)
	uid := uuid.Must(uuid.NewV7())
	sub := h.buys(t, uid, "core", "year").Subscription
	h.pass(time.Minute)
	q, err := h.PreviewChange(t.Context(), uid, "core", "month")
	require.NoError(t, err)
	r := change(uid, q)
	h.provider.Fail("ChangePrice", providertest.Away)
	requireReason(t, h.ChangePlan(t.Context(), r), "PAYMENT_PROVIDER_UNAVAILABLE")
	h.spend(t, uid, 100)
	requireReason(t, h.ChangePlan(t.Context(), r), "CHANGE_NOT_POSSIBLE")
	require.Equal(t, "year", h.account(t, uid).Subscription.Period)
	require.Len(t, h.provider.InvoicesOf(sub), 1)
}

// The caller's context ends while the provider charges the card; billing finishes the change.
func TestAChangeIsFinishedThoughItsCallerHasGone(t *testing.T) {
	t.Parallel()
	h := setup(t)
	uid, _ := h.member(t)
	h.at(begin.Add(half))
	q, err := h.PreviewChange(t.Context(), uid, "premium", "month")
	require.NoError(t, err)
	ctx, leave := context.WithCancel(t.Context())
	h.provider.Before(func(call string) {
		if call == "ChangePrice" {
			leave()
		}
	})
	require.NoError(t, h.ChangePlan(ctx, change(uid, q)))
	require.Equal(t, "premium", h.account(t, uid).Subscription.PlanID)
	require.Zero(t, h.count(t, `SELECT count(*) FROM plan_changes WHERE done_at IS NULL`))
}

// The provider has changed the plan and its answer is lost: the first call that reads the subscription back finds the change.
func TestAChangeWhoseAnswerWasLostIsFoundAgainAndChargedOnce(t *testing.T) {
	t.Parallel()
	h := setup(t)
	for _, c := range []struct {
		fault providertest.Fault
		first bool // it is found at once
	}{{providertest.Lost, true}, {providertest.BrokenAfter, true}, {providertest.Away, false}, {providertest.Broken, false}} {
		h.at(begin)
		uid, sub := h.member(t)
		h.at(begin.Add(half))
		q, err := h.PreviewChange(t.Context(), uid, "premium", "month")
		require.NoError(t, err)
		r := change(uid, q)
		h.provider.Fail("ChangePrice", c.fault)
		err = h.ChangePlan(t.Context(), r)
		if c.first {
			require.NoError(t, err)
		} else {
			requireReason(t, err, "PAYMENT_PROVIDER_UNAVAILABLE")
		}
		require.NoError(t, h.ChangePlan(t.Context(), r))
		h.hear(t)
		require.Equal(t, "premium", h.account(t, uid).Subscription.PlanID)
		require.Equal(t, int64(40), h.account(t, uid).Balance.PlanAvailable)
		require.Len(t, h.provider.InvoicesOf(sub), 2)
	}
	// It died after the provider had answered: a webhook brings it.
	h.at(begin)
	uid, sub := h.member(t)
	h.at(begin.Add(half))
	q, err := h.PreviewChange(t.Context(), uid, "premium", "month")
	require.NoError(t, err)
	_, err = h.provider.ChangePrice(t.Context(), "k", sub, q.Item.PriceID, q.At)
	require.NoError(t, err)
	h.hear(t)
	require.Equal(t, q.PlanCredits, h.account(t, uid).Balance.PlanAvailable)
	require.Equal(t, plans.Active, h.status(t, uid))
}

// Two tabs ask for two plans: billing answers the second with VERSION_MISMATCH.
func TestASecondChangeWhileOneIsUnderWayIsAVersionMismatch(t *testing.T) {
	t.Parallel()
	h := setup(t)
	uid, sub := h.member(t)
	h.at(begin.Add(half))
	q, err := h.PreviewChange(t.Context(), uid, "premium", "month")
	require.NoError(t, err)
	y, err := h.PreviewChange(t.Context(), uid, "core", "year")
	require.NoError(t, err)
	h.provider.Fail("ChangePrice", providertest.Away)
	requireReason(t, h.ChangePlan(t.Context(), change(uid, q)), "PAYMENT_PROVIDER_UNAVAILABLE")
	requireReason(t, h.ChangePlan(t.Context(), change(uid, y)), "VERSION_MISMATCH")
	h.pass(subscriptions.QuoteTime + time.Second)
	y, err = h.PreviewChange(t.Context(), uid, "core", "year")
	require.NoError(t, err)
	require.NoError(t, h.ChangePlan(t.Context(), change(uid, y)), "the first has run out")
	require.Len(t, h.provider.InvoicesOf(sub), 2)
	require.Equal(t, "year", h.account(t, uid).Subscription.Period)
}

// Work that was begun before a change is paid by what was set aside, and what is given back is not lost.
func TestCreditsInAHoldComeWithAChange(t *testing.T) {
	t.Parallel()
	h := setup(t)
	uid, _ := h.member(t)
	h.at(begin.Add(half))
	hold, _, err := h.store.Hold(t.Context(), credits.HoldRequest{UID: uid, Amount: 2, Key: "k", Reference: "meditation:x", TTL: time.Hour})
	require.NoError(t, err)
	q, err := h.PreviewChange(t.Context(), uid, "premium", "month")
	require.NoError(t, err)
	require.NoError(t, h.ChangePlan(t.Context(), change(uid, q)))
	require.Equal(t, credits.Balance{PlanAvailable: 38, Held: 2}, h.account(t, uid).Balance)
	require.NoError(t, h.store.Release(t.Context(), hold.ID))
	require.Equal(t, credits.Balance{PlanAvailable: 40}, h.account(t, uid).Balance)
	h.requireSound(t, uid)
}

// Programs that ask for no confirmation have it quoted and made at once.
func TestAChangeWithoutAQuoteIsMadeAtOnce(t *testing.T) {
	t.Parallel()
	h := setup(t)
	uid, _ := h.member(t)
	h.at(begin.Add(half))
	require.NoError(t, h.ChangePlan(t.Context(), atOnce(uid, "premium", "month")))
	require.Equal(t, "premium", h.account(t, uid).Subscription.PlanID)
}

// After changeTime the call that stored a change has ended or died: a change that was not made then blocks no other.
func TestAChangeThatDiedBeforeTheProviderWasAskedHoldsUpNoOther(t *testing.T) {
	t.Parallel()
	for name, again := range map[string]func(died subscriptions.ChangeRequest, uid uuid.UUID) subscriptions.ChangeRequest{
		"another": func(_ subscriptions.ChangeRequest, uid uuid.UUID) subscriptions.ChangeRequest {
			return atOnce(uid, "premium", "month")
		},
		"the same": func(died subscriptions.ChangeRequest, _ uuid.UUID) subscriptions.ChangeRequest { return died },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := setup(t)
			uid, sub := h.member(t)
			h.at(begin.Add(half))
			died := atOnce(uid, "core", "year")
			h.provider.Fail("ChangePrice", providertest.Away)
			require.Error(t, h.ChangePlan(t.Context(), died))
			h.pass(40 * time.Second)
			requireReason(t, h.ChangePlan(t.Context(), atOnce(uid, "premium", "month")), "VERSION_MISMATCH")
			h.pass(time.Second)
			asked := again(died, uid)
			require.NoError(t, h.ChangePlan(t.Context(), asked))
			a := h.account(t, uid).Subscription
			require.Equal(t, []string{asked.Plan, asked.Period}, []string{a.PlanID, a.Period})
			require.Len(t, events[*eventsv1.SubscriptionChanged](t, h, "subscription.changed"), 1)
			require.Len(t, h.provider.InvoicesOf(sub), 2, "it is charged once")
		})
	}
}
