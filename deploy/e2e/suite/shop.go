package suite

import (
	"context"
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

// InBasket waits until the bar says how many things are in the basket.
func InBasket(tab *browser.Tab, words string) {
	tab.Expect("the basket is"+words, fmt.Sprintf(`document.querySelector("header a[href='/basket']")?.textContent.endsWith(%q)`, words))
}

// Put adds a thing to the member's basket, as another browser of theirs would.
func Put(t *testing.T, m *harness.Member, id, size string) {
	t.Helper()
	_, err := m.Basket.AddToBasket(t.Context(), &webv1.AddToBasketRequest{RequestId: uuid.NewString(), ProductId: id, Size: size})
	require.NoError(t, err)
}

// RequirePaid fails unless the member has paid that many orders, and has exactly these credits, of the plan and beside it.
func RequirePaid(t *testing.T, m *harness.Member, orders int, plan, topUp int64) {
	t.Helper()
	require.Len(t, PaidOrders(t, m), orders)
	credits, err := m.Credits(t.Context())
	require.NoError(t, err)
	require.Equal(t, []int64{plan, topUp}, []int64{credits.GetPlan(), credits.GetTopUp()})
}

// PaidOrders are the member's.
func PaidOrders(t *testing.T, m *harness.Member) (paid []*webv1.Order) {
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

// Subscribe has the member pay for Core by the month, without a browser.
func (p *Product) Subscribe(t *testing.T, m *harness.Member) {
	t.Helper()
	opened, err := m.Basket.Checkout(t.Context(), &webv1.CheckoutRequest{RequestId: uuid.NewString(), PlanId: "serein-core", Period: "month"})
	require.NoError(t, err)
	require.NoError(t, p.ControlPayments(t.Context(), "pay", map[string]string{
		"session": path.Base(opened.GetUrl()), "card": string(paymentsandbox.Accepted),
	}, nil))
	require.NoError(t, harness.Eventually(t.Context(), "the membership", func(ctx context.Context) (bool, error) {
		credits, err := m.Credits(ctx)
		return credits.GetPlan() == CoreCredits, err
	}))
}
