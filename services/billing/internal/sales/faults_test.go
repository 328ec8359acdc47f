package sales_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"serein.app/services/billing/internal/credits"
	"serein.app/services/billing/internal/providertest"
	"serein.app/services/billing/internal/sales"
)

// steps are the provider's calls from the press of the button to the credits.
var steps = []string{"FindCustomer", "CreateCustomer", "CreateSession", "Session", "Subscription"}

// D7: whatever call the provider fails, before or after it has done what was asked, there is one page and one charge.
func TestAProviderThatIsAwayInAnyStepChargesOnceAndLosesNothing(t *testing.T) {
	t.Parallel()
	h := setup(t)
	for _, step := range steps {
		for _, fault := range []providertest.Fault{providertest.Away, providertest.Lost, providertest.Broken} {
			uid := newMember()
			r := request(uid, "core", "month")
			sessions := h.provider.Sessions()
			h.provider.Fail(step, fault, fault)
			var o sales.Order
			faults := 0
			for o.SessionID == "" {
				var err error
				if o, err = h.Start(t.Context(), r); err != nil {
					requireReason(t, err, "PAYMENT_PROVIDER_UNAVAILABLE")
					faults++
				}
				require.Less(t, faults, 4, step)
			}
			h.provider.Pay(o.SessionID)
			for o.State != sales.Completed {
				var err error
				if o, err = h.CompleteCheckout(t.Context(), uid, o.ID); err != nil {
					requireReason(t, err, "PAYMENT_PROVIDER_UNAVAILABLE")
					faults++
					o.ID = h.onlyOrder(t, uid)
				}
				require.Less(t, faults, 4, step)
			}
			require.Positive(t, faults, step)
			h.provider.Heal()
			require.Equal(t, sessions+1, h.provider.Sessions(), "one page: %s", step)
			require.Equal(t, credits.Balance{PlanAvailable: 20}, h.account(t, uid).Balance, step)
			require.Equal(t, 1, h.count(t, `SELECT count(*) FROM orders WHERE uid = $1`, uid), step)
			require.Equal(t, 1, h.count(t, `SELECT count(*) FROM customers WHERE uid = $1`, uid), step)
		}
	}
}

// The provider repeats its internal error to the same idempotency key for a day; the member's next try uses another key.
func TestAFaultThatTheProviderRepeatsBlocksNoMember(t *testing.T) {
	t.Parallel()
	h := setup(t)
	for _, fault := range []providertest.Fault{providertest.Broken, providertest.BrokenAfter} {
		uid := newMember()
		sessions := h.provider.Sessions()
		r := request(uid, "tote", "")
		h.provider.Fail("CreateCustomer", fault)
		_, err := h.Start(t.Context(), r)
		requireReason(t, err, "PAYMENT_PROVIDER_UNAVAILABLE")
		h.provider.Fail("CreateSession", fault)
		first, err := h.Start(t.Context(), r)
		if fault == providertest.Broken {
			requireReason(t, err, "PAYMENT_PROVIDER_UNAVAILABLE")
			first = h.begins(t, r)
		} else {
			require.NoError(t, err, "it was opened all the same, and is found")
		}
		require.Equal(t, sessions+1, h.provider.Sessions())

		// Another checkout closes this one's page.
		h.provider.Fail("ExpireSession", fault)
		r = request(uid, "tee", "S")
		second, err := h.Start(t.Context(), r)
		if fault == providertest.Broken {
			requireReason(t, err, "PAYMENT_PROVIDER_UNAVAILABLE")
			second = h.begins(t, r)
		} else {
			require.NoError(t, err, "it was closed all the same")
		}
		require.Equal(t, sales.Closed, h.order(t, first.ID).State)
		require.Equal(t, sales.SessionExpired, h.provider.Pay(first.SessionID).State)
		require.Equal(t, sessions+2, h.provider.Sessions())
		h.provider.Pay(second.SessionID)
		second, err = h.CompleteCheckout(t.Context(), uid, second.ID)
		require.NoError(t, err)
		require.Equal(t, sales.Completed, second.State)
	}
}

// Somebody deletes a customer at the provider's pages; its search finds it for a while.
func TestAMemberWhoseCustomerIsDeletedAtTheProviderGetsAnother(t *testing.T) {
	t.Parallel()
	h := setup(t)
	uid := newMember()
	h.buys(t, uid, "tote", "")
	h.provider.Delete(uid.String())
	made := h.provider.Calls("CreateCustomer")
	o := h.buys(t, uid, "tee", "S")
	require.Equal(t, made+1, h.provider.Calls("CreateCustomer"))
	require.NotZero(t, o.Address)
	h.buys(t, uid, "tote", "")
	require.Equal(t, made+1, h.provider.Calls("CreateCustomer"), "the new one is kept")
	require.Equal(t, 1, h.count(t, `SELECT count(*) FROM customers`))

	h.provider.Before(func(call string) {
		if call == "CreateSession" {
			h.provider.Delete(uid.String())
		}
	})
	made = h.provider.Calls("CreateSession")
	_, err := h.Start(t.Context(), request(uid, "tote", ""))
	requireReason(t, err, "INTERNAL")
	require.Equal(t, made+2, h.provider.Calls("CreateSession"), "it is tried once more, and no oftener")
}

func TestEventsWaitUntilTheProviderIsBack(t *testing.T) {
	t.Parallel()
	h := setup(t)
	uid := newMember()
	o := h.begins(t, request(uid, "core", "month"))
	h.provider.Pay(o.SessionID)
	h.provider.Fail("Session", providertest.Away, providertest.Lost, providertest.Away)
	h.provider.Fail("Subscription", providertest.Away, providertest.Lost)
	h.deliver(t, h.provider.Told()[sixEvents-1])
	require.Equal(t, sales.Completed, h.order(t, o.ID).State)
}

func TestARefusalOfTheProviderIsNotSaidToBeItsAbsence(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.provider.Fail("CreateSession", providertest.Refused)
	_, err := h.Start(t.Context(), request(newMember(), "tote", ""))
	requireReason(t, err, "INTERNAL")
}

// The answer to the opening was lost and the member never came back: the page is found, or its order is closed.
func TestAnOrderWhosePageIsNotKnownIsFoundOrClosed(t *testing.T) {
	t.Parallel()
	h := setup(t)
	paid, left, never := newMember(), newMember(), newMember()
	h.provider.Fail("CreateSession", providertest.Lost)
	_, err := h.Start(t.Context(), request(paid, "core", "month"))
	requireReason(t, err, "PAYMENT_PROVIDER_UNAVAILABLE")
	h.provider.Fail("CreateSession", providertest.Lost)
	_, err = h.Start(t.Context(), request(left, "core", "month"))
	requireReason(t, err, "PAYMENT_PROVIDER_UNAVAILABLE")
	h.provider.Fail("CreateSession", providertest.Away)
	r := request(never, "core", "month")
	_, err = h.Start(t.Context(), r)
	requireReason(t, err, "PAYMENT_PROVIDER_UNAVAILABLE")

	h.pass(10 * time.Minute)
	h.provider.Pay(h.sessionOf(t, paid))
	require.NoError(t, h.PollPendingOrders(t.Context()))
	require.Equal(t, sales.Completed, h.order(t, h.onlyOrder(t, paid)).State)
	require.Equal(t, sales.Open, h.order(t, h.onlyOrder(t, left)).State, "found, and waiting")
	require.NotEmpty(t, h.order(t, h.onlyOrder(t, left)).SessionID)
	require.Equal(t, sales.Open, h.order(t, h.onlyOrder(t, never)).State)

	h.pass(25 * time.Minute)
	_, err = h.Start(t.Context(), r)
	requireReason(t, err, "PAYMENT_PROVIDER_UNAVAILABLE")
	h.pass(time.Hour)
	require.NoError(t, h.PollPendingOrders(t.Context()))
	require.Equal(t, sales.Closed, h.order(t, h.onlyOrder(t, never)).State)
	require.Equal(t, 2, h.provider.Sessions(), "the third was never opened")
}

func TestAnOrderThatCannotBeReadBackKeepsNoOtherWaiting(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.begins(t, request(newMember(), "tote", ""))
	h.begins(t, request(newMember(), "tote", ""))
	h.pass(10 * time.Minute)
	h.provider.Fail("Session", providertest.Away)
	require.ErrorIs(t, h.PollPendingOrders(t.Context()), sales.ErrProviderUnavailable)
	first, err := h.Store.Waiting(t.Context(), h.clock().Add(-time.Minute), 1)
	require.NoError(t, err)
	require.Empty(t, first, "the one that failed would be read first again, before all others")
	h.pass(10 * time.Minute)
	require.NoError(t, h.PollPendingOrders(t.Context()))
}

// A busy ten minutes hold more events than one listing gives: those behind them are read as well, and at every later time.
func TestMoreEventsThanAreListedAtOnceHideNoneBehindThem(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.provider.ListAtMost(20)
	for range 2 {
		for range 20 {
			h.provider.Pay(h.begins(t, request(newMember(), "tote", "")).SessionID)
			h.pass(time.Second)
		}
		require.NoError(t, h.Reconcile(t.Context()))
		require.Equal(t, len(h.provider.Told()), h.count(t, `SELECT count(*) FROM webhook_events`))
	}
}

// What is late after a day is looked for instead of asked again.
func TestTheHourlyReconciliationFindsWhatNoWebhookBrought(t *testing.T) {
	t.Parallel()
	h := setup(t)
	uid := newMember()
	o := h.buys(t, uid, "core", "month")
	require.NoError(t, h.Reconcile(t.Context()))
	h.work(t)
	known := h.count(t, `SELECT count(*) FROM webhook_events`)
	h.pass(30 * time.Minute)
	h.provider.GiveBack(o.Payment, o.Total, false)
	h.pass(30 * time.Minute)
	h.provider.Fail("Events", providertest.Away)
	require.ErrorIs(t, h.Reconcile(t.Context()), sales.ErrProviderUnavailable)
	require.NoError(t, h.Reconcile(t.Context()))
	h.work(t)
	require.Equal(t, known+1, h.count(t, `SELECT count(*) FROM webhook_events`))
	require.Equal(t, o.Total, h.order(t, o.ID).Refunded)
	require.Equal(t, credits.Balance{}, h.account(t, uid).Balance)
}
