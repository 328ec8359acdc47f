package life_test

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"serein.app/services/billing/internal/credits"
	"serein.app/services/billing/internal/plans"
	"serein.app/services/billing/internal/sales"
	"serein.app/services/billing/internal/subscriptions"
	"serein.app/services/testkit/paymentsandbox"
)

// What follows are single lives that the random ones may pass by: each for a fault that was planted or found.

// scripted is a life whose steps the test chooses.
type scripted struct{ *machine }

func script(t *testing.T) scripted {
	t.Helper()
	l := scripted{&machine{world: newWorld(t, open(t))}}
	t.Cleanup(l.close)
	return l
}

// buys pays for something and reads it back.
func (l scripted) buys(one *member, thing string) *order {
	o := l.pays(one, l.items[thing], paymentsandbox.Accepted, "")
	_, err := l.Sales.CompleteCheckout(l.ctx(), one.uid, o.id)
	require.NoError(l.t, err)
	l.work()
	return o
}

// member signs up and buys.
func (l scripted) member(thing string) *member {
	one := l.signsUp(nil)
	l.buys(one, thing)
	return one
}

func (l scripted) changesTo(one *member, plan string) {
	require.NoError(l.t, l.Memberships.ChangePlan(l.ctx(), subscriptions.ChangeRequest{UID: one.uid, Key: uuid.NewString(), Plan: plan, Period: "month"}))
}

// makes spends credits on a meditation.
func (l scripted) makes(one *member, amount int64) {
	now := l.clock()
	h, _, err := l.store.Hold(l.ctx(), credits.HoldRequest{UID: one.uid, Amount: amount, Key: uuid.NewString(), Reference: "meditation:x", TTL: time.Hour})
	require.NoError(l.t, err)
	require.NoError(l.t, l.store.Capture(l.ctx(), h.ID))
	one.purse.capture(one.purse.hold(amount, now.Add(time.Hour), now), now)
}

// holds looks at everybody and at the books.
func (l scripted) holds() {
	faults, _ := l.broken()
	require.Empty(l.t, faults)
	for _, one := range l.members {
		l.agrees(one)
	}
}

func (l scripted) balance(one *member) credits.Balance {
	a, err := l.store.Account(l.ctx(), one.uid)
	require.NoError(l.t, err)
	return a.Balance
}

// Who changes to a larger plan and back within a second has the credits of the plan that they pay for.
func TestAChangeToAndFroWithinOneSecondLeavesNoCredits(t *testing.T) {
	t.Parallel()
	l := script(t)
	one := l.member("core:month")
	l.pass(3 * day)
	for _, plan := range []string{"premium", "core", "premium", "core"} {
		l.changesTo(one, plan)
	}
	require.LessOrEqual(t, l.balance(one).PlanAvailable, int64(20))
	l.holds()
}

func TestChangesToAndFroNeverMakeACredit(t *testing.T) {
	t.Parallel()
	l := script(t)
	one := l.member("core:month")
	for range 4 {
		l.pass(37 * time.Hour)
		l.changesTo(one, "premium")
		l.pass(5 * time.Minute)
		l.changesTo(one, "core")
		require.LessOrEqual(t, l.balance(one).PlanAvailable, int64(20))
		l.holds()
	}
}

func TestAMembershipThatIsKeptKeepsItsCreditsAsLongAsItsAccess(t *testing.T) {
	t.Parallel()
	l := script(t)
	one := l.member("core:month")
	one.gives(paymentsandbox.FailsAtRenewal)
	customer, err := l.store.Customer(l.ctx(), one.uid)
	require.NoError(t, err)
	require.NoError(t, l.sandbox.ChangeCard(customer, paymentsandbox.FailsAtRenewal))
	require.NoError(t, l.Memberships.Cancel(l.ctx(), one.uid, ""))
	l.holds()
	require.NoError(t, l.Memberships.Keep(l.ctx(), one.uid))
	l.holds()
	l.pass(35 * day)
	l.planned()
	require.Equal(t, plans.InGrace, one.plan.status(l.clock()))
	require.Equal(t, int64(20), l.balance(one).PlanAvailable, "in grace they can be used")
	l.holds()
}

func TestADisputeTakesWhatItPaidFor(t *testing.T) {
	t.Parallel()
	l := script(t)
	one := l.member("core:month")
	pack := l.buys(one, "pack-20")
	for _, o := range []*order{pack, one.orders[0]} {
		require.NoError(t, l.sandbox.Dispute(o.payment.id))
		o.payment.disputed = true
		l.deliver(l.waits())
		require.Equal(t, o.charged, o.refunded)
		l.holds()
	}
	require.Zero(t, l.balance(one))
	require.Equal(t, plans.Ended, one.plan.status(l.clock()))
}

func TestARefundWhoseWebhookIsLostIsNotedAllTheSame(t *testing.T) {
	t.Parallel()
	l := script(t)
	one := l.member("core:month")
	pack := l.buys(one, "pack-20")
	l.pass(time.Hour)
	l.planned()
	require.NoError(t, l.sandbox.Refund(pack.payment.id, 0))
	pack.payment.refunded = pack.payment.amount
	l.pass(time.Hour)
	l.planned()
	l.settled(one)
	require.Zero(t, l.balance(one).TopUpAvailable)
	l.holds()
}

func TestAPeriodIsOneOrderAndOneGrantHoweverOftenItIsTold(t *testing.T) {
	t.Parallel()
	l := script(t)
	one := l.member("core:month")
	l.waits()
	l.kept = nil
	l.pass(31 * day)
	events := l.waits()
	for _, order := range [][]string{events, events} {
		for i := range order {
			l.deliver(order[len(order)-1-i:])
			_, err := l.Memberships.Settle(l.ctx(), one.plan.of.id)
			require.NoError(t, err)
			l.makes(one, 1)
			l.holds()
		}
	}
	require.Len(t, one.orders, 2)
	require.Equal(t, sales.Renewal, one.orders[1].cause)
	require.Equal(t, int64(20-2*len(events)), l.balance(one).PlanAvailable, "what is spent stays so")
}

func TestAPaymentThatIsMendedGrantsItsPeriodOnce(t *testing.T) {
	t.Parallel()
	l := script(t)
	one := l.signsUp(nil)
	o := l.pays(one, l.items["core:month"], paymentsandbox.FailsAtRenewal, "")
	_, err := l.Sales.CompleteCheckout(l.ctx(), one.uid, o.id)
	require.NoError(t, err)
	l.pass(35 * day)
	l.planned()
	require.Equal(t, plans.InGrace, one.plan.status(l.clock()))
	customer, err := l.store.Customer(l.ctx(), one.uid)
	require.NoError(t, err)
	require.NoError(t, l.sandbox.ChangeCard(customer, paymentsandbox.Accepted))
	one.gives(paymentsandbox.Accepted)
	for range 3 {
		l.planned()
		l.makes(one, 2)
		l.holds()
	}
	require.Equal(t, plans.Active, one.plan.status(l.clock()))
	require.Equal(t, int64(20-3*2), l.balance(one).PlanAvailable)
	require.Len(t, one.orders, 2)
}

func TestAMailboxHasOneTrialForAllTime(t *testing.T) {
	t.Parallel()
	l := script(t)
	one := l.signsUp(nil)
	l.pass(time.Hour)
	for range 2 {
		l.trial(one, nil)
		l.holds()
	}
	other := &member{uid: uuid.Must(uuid.NewV7()), mailbox: one.mailbox}
	l.trial(other, nil)
	a, err := l.store.Account(l.ctx(), other.uid)
	require.NoError(t, err)
	require.Zero(t, a.Balance)
	require.False(t, a.Subscription.Active(l.clock()))
}

func TestWhatIsCancelledGivesItsCreditsBackOnce(t *testing.T) {
	t.Parallel()
	l := script(t)
	one := l.signsUp(nil)
	h, _, err := l.store.Hold(l.ctx(), credits.HoldRequest{UID: one.uid, Amount: 3, Key: "one", Reference: "meditation:x", TTL: time.Hour})
	require.NoError(t, err)
	for range 3 {
		require.NoError(t, l.store.Release(l.ctx(), h.ID))
		l.holds()
	}
	require.Equal(t, credits.Balance{PlanAvailable: 8}, l.balance(one))
}

func TestADisputeOfAFriendsMembershipLeavesBothTheirReward(t *testing.T) {
	t.Parallel()
	l := script(t)
	one := l.signsUp(nil)
	friend := l.signsUp(one)
	o := l.buys(friend, "core:month")
	require.NoError(t, l.sandbox.Dispute(o.payment.id))
	o.payment.disputed = true
	l.deliver(l.waits())
	require.Equal(t, credits.Balance{PlanAvailable: 8, TopUpAvailable: 5}, l.balance(one))
	require.Equal(t, credits.Balance{TopUpAvailable: 5}, l.balance(friend))
	l.holds()
}

func TestAFriendWhoPaysBringsBothFiveCreditsAndAFullRefundTakesWhatIsUnspent(t *testing.T) {
	t.Parallel()
	l := script(t)
	one := l.signsUp(nil)
	friend := l.signsUp(one)
	require.Equal(t, begin.Add(14*day), friend.plan.ends)
	o := l.buys(friend, "core:month")
	l.trial(friend, one) // the event comes again
	require.Equal(t, credits.Balance{PlanAvailable: 8, TopUpAvailable: 5}, l.balance(one))
	require.Equal(t, credits.Balance{PlanAvailable: 20, TopUpAvailable: 5}, l.balance(friend))
	l.makes(one, 8+3)
	require.NoError(t, l.sandbox.Refund(o.payment.id, 0))
	o.payment.refunded = o.payment.amount
	told := l.waits()
	l.deliver(append(told, told...))
	require.Zero(t, l.balance(one))
	require.Zero(t, l.balance(friend))
	l.pass(time.Second)
	l.buys(friend, "core:month")
	require.Zero(t, l.balance(one), "who buys again is no new friend")
	l.holds()
}

func TestWhoPaysWithTheCardOfTheirReferrerIsRewardedNothingAndHasTheirMoneyBackAllTheSame(t *testing.T) {
	t.Parallel()
	l := script(t)
	one := l.member("core:month")
	friend := l.signsUp(one)
	o := l.buys(friend, "premium:month")
	require.Zero(t, l.balance(one).TopUpAvailable+l.balance(friend).TopUpAvailable)
	l.holds()
	l.pass(time.Hour)
	require.NoError(t, l.sandbox.Refund(o.payment.id, 0))
	o.payment.refunded = o.payment.amount
	l.deliver(l.waits())
	require.Equal(t, o.charged, o.refunded)
	l.holds()
}

func TestAReferrerHasTwentyRewardsAMonthAndEveryFriendTheirs(t *testing.T) {
	t.Parallel()
	l := script(t)
	one := l.signsUp(nil)
	for range rewardsOfAMonth + 1 {
		l.buys(l.signsUp(one), "core:month")
	}
	require.EqualValues(t, rewardOfEach*rewardsOfAMonth, l.balance(one).TopUpAvailable)
	l.holds()
	l.pass(30 * day)
	l.buys(l.signsUp(one), "core:month")
	require.EqualValues(t, rewardOfEach*(rewardsOfAMonth+1), l.balance(one).TopUpAvailable)
	l.agrees(one)
}

func TestWhatAnOperatorTakesIsWhatIsThereTopUpsFirst(t *testing.T) {
	t.Parallel()
	l := script(t)
	one := l.signsUp(nil)
	l.corrects(one, 3, 2)
	require.Equal(t, credits.Balance{PlanAvailable: 8, TopUpAvailable: 3}, l.balance(one))
	l.corrects(one, -5, 2)
	require.Equal(t, credits.Balance{PlanAvailable: 6}, l.balance(one))
	l.corrects(one, -7, 2)
	require.Zero(t, l.balance(one))
	l.holds()
}
