package subscriptions_test

import (
	"net/http/httptest"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	eventsv1 "serein.app/proto/gen/serein/events/v1"
	"serein.app/services/billing/internal/credits"
	"serein.app/services/billing/internal/plans"
	"serein.app/services/billing/internal/sales"
	"serein.app/services/billing/internal/stripe"
	"serein.app/services/platform/config"
	"serein.app/services/testkit/paymentsandbox"
)

// throughStripe is a shop whose provider is the payment sandbox, through the adapter, with the same clock. No webhook comes at all.
func throughStripe(t *testing.T) (*harness, *paymentsandbox.Sandbox) {
	t.Helper()
	return throughAccount(t, paymentsandbox.Config{})
}

// throughAccount is one whose account at the provider is set up so.
func throughAccount(t *testing.T, account paymentsandbox.Config) (*harness, *paymentsandbox.Sandbox) {
	t.Helper()
	const key = "sk_test_0123456789abcdef0123456789abcdef"
	var sandbox *paymentsandbox.Sandbox
	h := setupWith(t, func(h *harness) payments {
		var err error
		account.Key, account.Now, account.SearchLag = key, h.clock, -1
		sandbox, err = paymentsandbox.New(account)
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, sandbox.Close()) })
		api := httptest.NewServer(sandbox)
		t.Cleanup(api.Close)
		p, err := stripe.New(stripe.Config{
			APIKey: key, WebhookSecrets: []config.Secret{"whsec_0123456789abcdef0123456789abcdef"}, APIURL: api.URL,
		})
		require.NoError(t, err)
		return p
	})
	return h, sandbox
}

// joins buys Core by the month.
func joins(t *testing.T, h *harness, sandbox *paymentsandbox.Sandbox, card paymentsandbox.Card) (uid uuid.UUID, subscription string) {
	t.Helper()
	uid = uuid.Must(uuid.NewV7())
	o, err := h.seller.Start(t.Context(), sales.Request{
		UID: uid, Key: uuid.NewString(), Email: "ada@example.com", Items: []sales.RequestedLine{{ProductID: "core", Size: "month", Quantity: 1}},
	})
	require.NoError(t, err)
	require.NoError(t, sandbox.Pay(o.SessionID, card))
	o, err = h.seller.CompleteCheckout(t.Context(), uid, o.ID)
	require.NoError(t, err)
	require.Equal(t, sales.Completed, o.State)
	return uid, o.Subscription
}

// overdue is some time after a period's end, when the provider has billed.
func (h *harness) overdue(t *testing.T, uid uuid.UUID) {
	t.Helper()
	h.at(h.account(t, uid).Subscription.EndsAt.Add(2 * time.Hour))
}

func TestAMembershipLivesByTheSweepAloneThroughStripe(t *testing.T) {
	t.Parallel()
	h, sandbox := throughStripe(t)
	uid, sub := joins(t, h, sandbox, paymentsandbox.Accepted)
	h.at(begin.Add(half))
	q, err := h.PreviewChange(t.Context(), uid, "premium", "month")
	require.NoError(t, err)
	require.Equal(t, int64(250), q.Amount)
	h.pass(5 * time.Minute)
	require.NoError(t, h.ChangePlan(t.Context(), change(uid, q)))
	require.Equal(t, int64(40), h.account(t, uid).Balance.PlanAvailable)
	require.Equal(t, int64(250), h.orders(t, uid)[0].Charged())

	h.overdue(t, uid)
	h.sweep(t)
	a := h.account(t, uid)
	require.Equal(t, credits.Balance{PlanAvailable: 60}, a.Balance)
	require.Equal(t, begin.AddDate(0, 2, 0), a.Subscription.EndsAt)
	require.Equal(t, int64(1299), h.orders(t, uid)[0].Charged())

	require.NoError(t, h.Cancel(t.Context(), uid, ""))
	require.Equal(t, plans.Cancelling, h.status(t, uid))
	require.NoError(t, h.Keep(t.Context(), uid))
	require.NoError(t, h.ChangePlan(t.Context(), atOnce(uid, "core", "year")))
	a = h.account(t, uid)
	require.Equal(t, "year", a.Subscription.Period)
	require.Equal(t, h.clock().AddDate(1, 0, 0), a.Subscription.EndsAt)
	require.NoError(t, h.Cancel(t.Context(), uid, ""))
	h.overdue(t, uid)
	h.sweep(t)
	require.Equal(t, plans.Ended, h.status(t, uid))
	told, err := h.pays.Subscription(t.Context(), sub)
	require.NoError(t, err)
	require.False(t, told.EndedAt.IsZero())
	require.Zero(t, h.mended)
	h.requireSound(t, uid)
}

func TestAPaymentThatFailsIsMendedOrEndsThroughStripe(t *testing.T) {
	t.Parallel()
	for name, account := range map[string]paymentsandbox.Config{"a portal that pays nothing": {}, "one that pays what is past due": {PortalPays: true}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h, sandbox := throughAccount(t, account)
			uid, sub := joins(t, h, sandbox, paymentsandbox.FailsAtRenewal)
			gives := func(card paymentsandbox.Card) {
				customer, err := h.store.Customer(t.Context(), uid)
				require.NoError(t, err)
				require.NoError(t, sandbox.ChangeCard(customer, card))
				require.NoError(t, h.TakeCard(t.Context(), uid))
			}
			h.overdue(t, uid)
			h.sweep(t)
			require.Equal(t, plans.InGrace, h.status(t, uid))
			failed := events[*eventsv1.SubscriptionPaymentFailed](t, h, "subscription.payment_failed")
			require.Len(t, failed, 1)
			require.Equal(t, int64(799), failed[0].GetAmount())
			require.NotNil(t, failed[0].GetNextAttempt())
			gives(paymentsandbox.FailsAtRenewal)
			require.Equal(t, plans.InGrace, h.status(t, uid))
			gives(paymentsandbox.AcceptedElsewhere)
			require.Equal(t, plans.Active, h.status(t, uid))
			require.Len(t, h.orders(t, uid), 2)
			require.Equal(t, sales.Card{ID: h.state(t, uid).Card.ID, Brand: "mastercard", Last4: "4444"}, h.state(t, uid).Card)
			require.NoError(t, h.Reconcile(t.Context()))
			require.Zero(t, h.mended)

			gives(paymentsandbox.FailsAtRenewal)
			h.overdue(t, uid)
			h.sweep(t)
			require.Equal(t, plans.InGrace, h.status(t, uid))
			require.Equal(t, "0341", h.state(t, uid).Card.Last4)
			h.at(begin.AddDate(0, 2, 0).Add(14 * plans.Day))
			h.sweep(t)
			require.Equal(t, plans.Ended, h.status(t, uid))
			told, err := h.pays.Subscription(t.Context(), sub)
			require.NoError(t, err)
			require.False(t, told.EndedAt.IsZero(), "it is charged no more")
			require.Equal(t, "unpaid", events[*eventsv1.SubscriptionCancelled](t, h, "subscription.cancelled")[0].GetReason())
		})
	}
}
