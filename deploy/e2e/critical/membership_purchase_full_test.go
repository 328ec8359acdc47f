//go:build full

package critical

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"serein.app/deploy/e2e/browser"
	"serein.app/deploy/e2e/harness"
	"serein.app/deploy/e2e/suite"
	"serein.app/services/testkit/paymentsandbox"
)

// The operator makes a code. A member who types it on the provider's page pays less, and every page with the order shows the discount.
func TestAPromotionCodeTakesOffWhatIsPaidAndStandsOnTheOrder(t *testing.T) {
	t.Parallel()
	require.NoError(t, product.Do(t.Context(), "billing", "add-code", "--percent", "25", "--most", "1", "--until", time.Now().UTC().AddDate(0, 1, 0).Format(time.DateOnly), "SPRING"))
	tab, m := product.Member(t, browser.Desk)
	tab.ExpectErrors("422") // a form that is shown again
	choosePlan(tab, "Premium")
	openPayment(tab, "£12.99")
	tab.Fill("Promotion code", "WINTER")
	tab.Click("button", "Apply")
	tab.Text("We do not know this code. Please check how it is spelt.")
	tab.Fill("Promotion code", "spring")
	tab.Click("button", "Apply")
	tab.Text("−£3.25")
	suite.OnPhone(tab, "code")
	payBy(tab, acceptedCard, "£9.74")
	tab.See("heading", "Order Successful!")
	tab.Text("Your Premium membership has started, with 60 credits.")
	tab.Text("Discount, by promotion code")
	tab.Text("£9.74")
	tab.See("heading", "While you’re here")
	suite.OnPhone(tab, "discount")
	tab.Click("link", "View Orders")
	tab.Text("£3.25 off by code")
	suite.RequirePaid(t, m, 1, suite.PremiumCredits, 0)
}

// The page of the tab that came first closes when the other opens its own, and what is paid is paid once.
func TestAMembershipInTwoTabsIsPaidInOneAndTheOthersSaySo(t *testing.T) {
	t.Parallel()
	first, m := product.Member(t, browser.Desk)
	first.ExpectErrors("404|409|412|400") // a page that has closed, and a checkout that is refused
	suite.Put(t, m, "serein-core", "month")
	var tabs []*browser.Tab
	for range 2 {
		tab := first.Sibling()
		tab.ExpectErrors("404|409|412|400")
		tab.Go("/checkout")
		tab.See("button", "Pay £7.99")
		tabs = append(tabs, tab)
	}
	first.Go("/basket")
	openPayment(first, "£7.99")
	tabs[0].Click("button", "Pay £7.99")
	tabs[0].See("heading", "Payment")
	payBy(first, acceptedCard, "£7.99")
	first.See("heading", "This page has closed")
	payBy(tabs[0], acceptedCard, "£7.99")
	tabs[0].See("heading", "Order Successful!")
	tabs[1].Click("button", "Pay £7.99")
	tabs[1].Expect("it is refused in words", `/haven’t been charged|nothing to pay for/.test(document.body.innerText)`)
	first.Click("link", "Return to Serein")
	first.See("heading", "Your Basket is Empty")
	suite.RequirePaid(t, m, 1, suite.CoreCredits, 0)
}

// A member may go back from the provider's page, or close the browser there.
func TestTheBasketIsAsItWasAfterAMemberLeavesTheProvidersPage(t *testing.T) {
	t.Parallel()
	tab, m := product.Member(t, browser.Desk)
	choosePlan(tab, "Core")
	openPayment(tab, "£7.99")
	tab.Click("link", "Go back without paying")
	tab.Text("You came back without paying, so you haven’t been charged.")
	suite.OnPhone(tab, "cancelled")
	tab.Click("button", "Pay £7.99")
	tab.See("heading", "Payment")

	again := tab.Sibling() // the other window stays where it is, as when a browser is closed
	again.Go("/basket")
	again.Text("Core membership")
	suite.InBasket(again, ", 1 item")
	suite.RequirePaid(t, m, 0, product.TrialCredits(t.Context(), t), 0)
	openPayment(again, "£7.99")
	payBy(again, acceptedCard, "£7.99")
	again.See("heading", "Order Successful!")
	suite.RequirePaid(t, m, 1, suite.CoreCredits, 0)
}

// The webhook has not come when the member does: the page reads the payment back, and the webhook changes nothing more.
func TestASuccessIsToldThoughTheWebhookIsLate(t *testing.T) { // not parallel: it holds everybody's webhooks back
	control := func(name string, body, answer any) {
		t.Helper()
		require.NoError(t, product.ControlPayments(context.WithoutCancel(t.Context()), name, body, answer))
	}
	tab, m := product.Member(t, browser.Desk)
	choosePlan(tab, "Core")
	openPayment(tab, "£7.99")
	control("delivery", map[string]bool{"hold": true}, nil)
	defer control("delivery", struct{}{}, nil)
	payBy(tab, acceptedCard, "£7.99")
	tab.See("heading", "Order Successful!")
	tab.Text("Your Core membership has started, with 20 credits.")
	suite.InBasket(tab, ", empty")
	suite.RequirePaid(t, m, 1, suite.CoreCredits, 0)

	var told struct{ Events []paymentsandbox.EventType }
	control("events", struct{}{}, &told)
	var late []string // those of the purchase, each twice
	for _, event := range told.Events[max(0, len(told.Events)-5):] {
		late = append(late, event.ID, event.ID)
	}
	require.NotEmpty(t, late)
	control("deliver", map[string][]string{"events": late}, nil)
	require.NoError(t, harness.Eventually(t.Context(), "the webhooks are applied", func(ctx context.Context) (bool, error) {
		return harness.SQL[bool](ctx, product.Harness, "billing", "select count(*) > 0 and bool_and(applied_at is not null) from webhook_events")
	}))
	suite.RequirePaid(t, m, 1, suite.CoreCredits, 0)
}
