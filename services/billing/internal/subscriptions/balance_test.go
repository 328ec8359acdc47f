package subscriptions_test

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"serein.app/services/billing/internal/credits"
	"serein.app/services/billing/internal/plans"
	"serein.app/services/billing/internal/providertest"
	"serein.app/services/billing/internal/sales"
	"serein.app/services/testkit/paymentsandbox"
)

// buyer is a member who buys through Stripe, one thing after the other.
type buyer struct {
	*harness
	t       *testing.T
	sandbox *paymentsandbox.Sandbox
	uid     uuid.UUID
}

func newBuyer(t *testing.T) buyer {
	t.Helper()
	h, sandbox := throughStripe(t)
	return buyer{h, t, sandbox, uuid.Must(uuid.NewV7())}
}

// starts opens a checkout of a membership.
func (b buyer) starts(plan, period string) sales.Order {
	b.t.Helper()
	o, err := b.seller.Start(b.t.Context(), sales.Request{
		UID: b.uid, Key: uuid.NewString(), Email: "ada@example.com", Items: []sales.RequestedLine{{ProductID: plan, Size: period, Quantity: 1}},
	})
	require.NoError(b.t, err)
	return o
}

func (b buyer) joins(plan, period string) sales.Order {
	b.t.Helper()
	o := b.starts(plan, period)
	require.NoError(b.t, b.sandbox.Pay(o.SessionID, paymentsandbox.Accepted))
	o, err := b.seller.CompleteCheckout(b.t.Context(), b.uid, o.ID)
	require.NoError(b.t, err)
	return o
}

func (b buyer) changes(plan, period string) {
	b.t.Helper()
	require.NoError(b.t, b.ChangePlan(b.t.Context(), atOnce(b.uid, plan, period)))
}

// ends has the membership end with its period.
func (b buyer) ends() {
	b.t.Helper()
	require.NoError(b.t, b.Cancel(b.t.Context(), b.uid, ""))
	b.overdue(b.t, b.uid)
	b.sweep(b.t)
	require.Equal(b.t, plans.Ended, b.status(b.t, b.uid))
}

// balance is what the next invoices are lowered by.
func (b buyer) balance() int64 {
	b.t.Helper()
	customer, err := b.store.Customer(b.t.Context(), b.uid)
	require.NoError(b.t, err)
	left, err := b.pays.Balance(b.t.Context(), customer)
	require.NoError(b.t, err)
	return left
}

// refunds gives money of an order back at the provider's pages; 0: all of it.
func (b buyer) refunds(o sales.Order, amount int64) {
	b.t.Helper()
	require.NoError(b.t, b.sandbox.Refund(o.Payment, amount))
	b.pass(time.Second)
	require.NoError(b.t, b.seller.Reconcile(b.t.Context()))
	b.work(b.t)
}

// What a change credited pays the first invoice of another membership too: the order is what was charged, and is no mismatch.
func TestWhatWasCreditedLowersTheFirstPaymentOfAnotherMembership(t *testing.T) {
	t.Parallel()
	for name, one := range map[string]struct {
		plan, period, to, toPeriod string
		charged, left              int64
	}{
		"a part":    {"premium", "month", "core", "month", 799 - 500, 0},
		"all of it": {"core", "year", "core", "month", 0, 7990 - 2*799},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBuyer(t)
			b.joins(one.plan, one.period)
			b.changes(one.to, one.toPeriod)
			b.ends()
			o := b.joins("core", "month")
			require.Equal(t, sales.Completed, o.State)
			require.Equal(t, []int64{one.charged, 799 - one.charged, 799}, []int64{o.Charged(), o.FromBalance, o.Total})
			require.Equal(t, sales.VAT(one.charged, 20), o.VAT())
			require.Equal(t, one.charged == 0, o.Payment == "")
			require.Equal(t, one.left, b.balance())
			require.Equal(t, plans.Active, b.status(t, b.uid))
			require.Equal(t, credits.Balance{PlanAvailable: 20}, b.account(t, b.uid).Balance)
			require.Equal(t, o, b.orders(t, b.uid)[0])
			b.requireSound(t, b.uid)
		})
	}
}

// A renewal that a balance pays a part of says what it comes to, and what of it was charged.
func TestARenewalSaysWhatWasCreditedBefore(t *testing.T) {
	t.Parallel()
	b := newBuyer(t)
	b.joins("premium", "month")
	b.changes("core", "month")
	b.overdue(t, b.uid)
	b.sweep(t)
	o := b.orders(t, b.uid)[0]
	require.Equal(t, sales.Renewal, o.Cause)
	require.Equal(t, []int64{799, 500, 299}, []int64{o.Total, o.FromBalance, o.Charged()})
}

// Two tabs are paid: what the second took from the balance goes back there, and what it charged to the card.
func TestWhatIsNotGivenGoesBackToTheBalanceToo(t *testing.T) {
	t.Parallel()
	b := newBuyer(t)
	b.joins("premium", "month")
	b.changes("core", "month")
	b.ends()
	require.Equal(t, int64(500), b.balance())
	tab := b.starts("core", "month")
	require.NoError(t, b.sandbox.Pay(tab.SessionID, paymentsandbox.Accepted))
	_, err := b.Pool.Exec(t.Context(), `INSERT INTO departures (uid, departed_at) VALUES ($1, now())`, b.uid) // what else cannot be given
	require.NoError(t, err)
	o, err := b.seller.CompleteCheckout(t.Context(), b.uid, tab.ID)
	require.NoError(t, err)
	require.Equal(t, sales.Refunding, o.State)
	for range 2 {
		require.NoError(t, b.seller.ReturnPayment(t.Context(), o.ID))
		require.Equal(t, int64(500), b.balance())
	}
	o, err = b.store.Order(t.Context(), o.ID)
	require.NoError(t, err)
	require.Equal(t, int64(299), o.Refunded)
}

// The money of an order goes back whole: what a change has credited of it is no one's to spend again.
func TestWhatAChangeCreditedGoesWithTheMoneyThatItCameFrom(t *testing.T) {
	t.Parallel()
	for name, one := range map[string]struct {
		plan, period string
		lives        func(b buyer)
		before, left int64
	}{
		"a smaller plan":                 {"premium", "month", func(b buyer) { b.changes("core", "month") }, 500, 0},
		"months in place of a year":      {"core", "year", func(b buyer) { b.changes("core", "month") }, 7191, 0},
		"as far as it is left":           {"core", "year", func(b buyer) { b.changes("core", "month"); b.overdue(b.t, b.uid); b.sweep(b.t) }, 6392, 0},
		"what another payment paid for":  {"core", "month", func(b buyer) { b.changes("premium", "month"); b.changes("core", "month") }, 500, 500},
		"what somebody gave besides":     {"premium", "month", func(b buyer) { b.changes("core", "month"); b.gift(300) }, 800, 300},
		"nothing where nothing was left": {"premium", "month", func(b buyer) { b.changes("core", "month"); b.changes("premium", "month") }, 0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBuyer(t)
			o := b.joins(one.plan, one.period)
			one.lives(b)
			require.Equal(t, one.before, b.balance())
			b.refunds(o, 100)
			require.Equal(t, one.before, b.balance(), "a part takes nothing")
			b.refunds(o, 0)
			require.Equal(t, one.left, b.balance())
			require.NoError(t, b.Service.TakeBalance(t.Context(), o.ID))
			b.pass(48 * time.Hour) // by when the key is forgotten
			require.NoError(t, b.Service.TakeBalance(t.Context(), o.ID))
			require.Equal(t, one.left, b.balance(), "once")
		})
	}
}

// gift is an operator's, at the provider's pages.
func (b buyer) gift(amount int64) {
	b.t.Helper()
	customer, err := b.store.Customer(b.t.Context(), b.uid)
	require.NoError(b.t, err)
	require.NoError(b.t, b.pays.ChangeBalance(b.t.Context(), "gift", customer, amount, "gbp", "a kindness"))
}

// Both are given back, in whatever order: nothing is left, and nothing is owed.
func TestAllThatAMembershipWasPaidWithGoesBackAndLeavesNoBalance(t *testing.T) {
	t.Parallel()
	for _, first := range []int{0, 1} {
		b := newBuyer(t)
		b.joins("core", "month")
		b.pass(10 * plans.Day)
		b.changes("premium", "month")
		b.changes("core", "month")
		orders := b.orders(t, b.uid)
		require.Len(t, orders, 2)
		require.Positive(t, b.balance())
		for i := range orders {
			b.refunds(orders[(i+first)%2], 0)
		}
		require.Zero(t, b.balance())
	}
}

func TestAProviderThatIsAwayWhileABalanceIsTakenTakesItOnce(t *testing.T) {
	t.Parallel()
	for _, call := range []string{"Invoices", "Balance", "ChangeBalance"} {
		for _, fault := range []providertest.Fault{providertest.Away, providertest.Lost, providertest.BrokenAfter} {
			h := setup(t)
			uid := uuid.Must(uuid.NewV7())
			o := h.buys(t, uid, "premium", "month")
			require.NoError(t, h.ChangePlan(t.Context(), atOnce(uid, "core", "month")))
			h.hear(t)
			h.provider.Fail(call, fault)
			h.deliver(t, h.provider.GiveBack(o.Payment, o.Charged(), false))
			h.work(t)
			customer, err := h.store.Customer(t.Context(), uid)
			require.NoError(t, err)
			left, err := h.provider.Balance(t.Context(), customer)
			require.NoError(t, err)
			require.Zero(t, left, "%s %d", call, fault)
		}
	}
}
