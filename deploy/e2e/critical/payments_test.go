package critical

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"serein.app/deploy/e2e/browser"
	"serein.app/deploy/e2e/harness"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

// Test cards of the payment provider.
const (
	acceptedCard = "4242 4242 4242 4242"
	declinedCard = "4000 0000 0000 0002"
	askingCard   = "4000 0025 0000 3155"
)

// payments has this machine's payment provider do something.
func payments(t *testing.T, control string, body any) {
	t.Helper()
	require.NoError(t, product.ControlPayments(t.Context(), control, body, nil))
}

func customerOf(t *testing.T, m *harness.Member) string {
	t.Helper()
	customer, err := harness.SQL[string](t.Context(), product.Harness, "billing", "select customer_id from customers where uid = $1", m.UID)
	require.NoError(t, err)
	return customer
}

// passMonth lets the provider's time pass for one member.
func passMonth(t *testing.T, m *harness.Member) {
	t.Helper()
	payments(t, "advance", map[string]any{"customer": customerOf(t, m), "milliseconds": (32 * 24 * time.Hour).Milliseconds()})
}

func requireMembership(t *testing.T, m *harness.Member, what string, is func(*webv1.Membership) bool) {
	t.Helper()
	require.NoError(t, harness.Eventually(t.Context(), what, func(ctx context.Context) (bool, error) {
		res, err := m.Memberships.GetMembership(ctx, &webv1.GetMembershipRequest{})
		return is(res.GetMembership()), err
	}))
}

func requireCredits(t *testing.T, m *harness.Member, plan, topUp int64) {
	t.Helper()
	require.NoError(t, harness.Eventually(t.Context(), "the credits", func(ctx context.Context) (bool, error) {
		credits, err := m.Credits(ctx)
		return credits.GetPlan() == plan && credits.GetTopUp() == topUp, err
	}))
}

// choosePlan puts a plan into the basket, by the button of its card.
func choosePlan(tab *browser.Tab, plan string) {
	tab.Go("/memberships")
	tab.Click("button", "Add to basket: "+plan)
	tab.See("heading", "Basket")
	tab.Text(plan + " membership")
}

// openPayment goes from the basket to the provider's page.
func openPayment(tab *browser.Tab, price string) {
	tab.Click("link", "Proceed to Checkout")
	tab.See("heading", "Checkout")
	tab.Click("button", "Pay "+price)
	tab.See("heading", "Payment")
}

// payBy types a card into the provider's page and sends it.
func payBy(tab *browser.Tab, card, price string) {
	tab.Fill("Test card number", card)
	tab.Click("button", "Pay "+price)
}
