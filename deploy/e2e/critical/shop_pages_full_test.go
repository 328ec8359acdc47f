//go:build full

package critical

import (
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/deploy/e2e/browser"
	"serein.app/deploy/e2e/suite"
)

// Top-ups come with a membership: a trial is led to the plans, a member's credits come beside the plan's.
func TestCreditsAreToppedUpFromTheMembersAreaAndFromTheCreditsMessage(t *testing.T) {
	t.Parallel()
	tab, m := product.Member(t, browser.Desk)
	tab.Go("/members")
	tab.Click("button", "Top up")
	tab.See("dialog", "Top up credits")
	tab.Text("Yours is the free trial, with 8 credits left.")
	suite.OnPhone(tab, "top-up-trial")
	tab.Click("link", "Upgrade to Topup")
	tab.See("heading", "A place to come back to")

	product.Subscribe(t, m)
	require.NoError(t, product.Spend(t.Context(), m.UID, suite.CoreCredits))
	tab.Go("/bespoke-meditation-generator")
	tab.Text(suite.OutOfCredits)
	tab.Click("button", "Top up credits")
	tab.See("dialog", "Top up credits")
	tab.Press(browser.Escape)
	tab.Gone("dialog", "Top up credits")
	tab.Go("/members")
	tab.Click("button", "Top up")
	tab.Click("button", "Add to Basket, £10.99")
	suite.OnPhone(tab, "top-up")
	tab.Click("link", "Go to your basket")
	openPayment(tab, "£10.99")
	payBy(tab, acceptedCard, "£10.99")
	tab.See("heading", "Order Successful!")
	tab.Text("Your 40 credits are ready to use.")
	suite.RequirePaid(t, m, 2, 0, 40)
}

// There is nothing to pay for: by address, and after another tab has emptied the basket.
func TestAnEmptyCheckoutLeadsToTheBasket(t *testing.T) {
	t.Parallel()
	tab, m := product.Member(t, browser.Desk)
	tab.Go("/checkout")
	tab.See("heading", "Your Basket is Empty")
	tab.Expect("the basket's address stands there", `location.pathname === "/basket"`)
	suite.Put(t, m, "half-way-tote", "")
	tab.Go("/checkout")
	tab.See("heading", "Checkout")
	other := tab.Sibling()
	other.Go("/basket")
	other.Click("button", "Clear Basket")
	other.See("heading", "Your Basket is Empty")
	tab.Eval(`window.dispatchEvent(new Event("visibilitychange"))`) // somebody looks at this tab again
	tab.See("heading", "Your Basket is Empty")
}

// The trial run of paying asks for an address, takes its time and charges nothing.
func TestTheTestPaymentAsksForAnAddressAndSucceeds(t *testing.T) {
	t.Parallel()
	tab := product.Visitor(t, browser.Desk)
	tab.Go("/test-payment")
	tab.Click("button", "Pay")
	tab.Text("Please give an email address.")
	tab.Fill("Email", "amara@lakehouse.example")
	tab.Click("button", "Pay")
	tab.Text("The test payment succeeded.")
	suite.OnPhone(tab, "test-payment")
}
