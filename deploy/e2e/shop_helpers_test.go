package e2e

import (
	"fmt"
	"path"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"serein.app/deploy/e2e/browser"
	"serein.app/deploy/e2e/harness"
	webv1 "serein.app/proto/gen/serein/web/v1"
	"serein.app/services/testkit/paymentsandbox"
)

// Test cards of the payment provider.
const (
	acceptedCard = "4242 4242 4242 4242"
	declinedCard = "4000 0000 0000 0002"
	askingCard   = "4000 0025 0000 3155"
)

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

// inBasket waits until the bar says how many things are in the basket.
func inBasket(tab *browser.Tab, words string) {
	tab.Expect("the basket is"+words, fmt.Sprintf(`document.querySelector("header a[href='/basket']")?.textContent.endsWith(%q)`, words))
}

// onPhone shows a page on the narrowest screen in both themes; it must be accessible and fit.
func onPhone(tab *browser.Tab, name string) {
	for _, theme := range []string{"light", "dark"} {
		shownAs(tab, browser.Look{Width: 360, Height: 800, Theme: theme})
		tab.Picture(name + "-360-" + theme)
	}
	tab.Resize(browser.Desk)
}

// put adds a thing to the member's basket, as another browser of theirs would.
func put(t *testing.T, m *harness.Member, id, size string) {
	t.Helper()
	_, err := m.Basket.AddToBasket(t.Context(), &webv1.AddToBasketRequest{RequestId: uuid.NewString(), ProductId: id, Size: size})
	require.NoError(t, err)
}

// requirePaid: the member has paid that many orders, and has exactly these credits, of the plan and beside it.
func requirePaid(t *testing.T, m *harness.Member, orders int, plan, topUp int64) {
	t.Helper()
	require.Len(t, paidOrders(t, m), orders)
	credits, err := m.Credits(t.Context())
	require.NoError(t, err)
	require.Equal(t, []int64{plan, topUp}, []int64{credits.GetPlan(), credits.GetTopUp()})
}

func paidOrders(t *testing.T, m *harness.Member) (paid []*webv1.Order) {
	t.Helper()
	res, err := m.Orders.ListOrders(t.Context(), &webv1.ListOrdersRequest{})
	require.NoError(t, err)
	for _, order := range res.GetOrders() {
		if order.GetState() == webv1.OrderState_ORDER_STATE_COMPLETED {
			paid = append(paid, order)
		}
	}
	return paid
}

// subscribe has the member pay for Core by the month, without a browser.
func subscribe(t *testing.T, m *harness.Member) {
	t.Helper()
	opened, err := m.Basket.Checkout(t.Context(), &webv1.CheckoutRequest{RequestId: uuid.NewString(), PlanId: "serein-core", Period: "month"})
	require.NoError(t, err)
	require.NoError(t, product.ControlPayments(t.Context(), "pay", map[string]string{
		"session": path.Base(opened.GetUrl()), "card": string(paymentsandbox.Accepted),
	}, nil))
	require.NoError(t, harness.Eventually(t.Context(), "the membership", func() (bool, error) {
		credits, err := m.Credits(t.Context())
		return credits.GetPlan() == coreCredits, err
	}))
}

// coreCredits and premiumCredits come with a month.
const coreCredits, premiumCredits = 20, 60
