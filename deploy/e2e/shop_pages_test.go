package e2e

import (
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/deploy/e2e/browser"
)

// Top-ups come with a membership: a trial is led to the plans, a member's credits come beside the plan's.
func TestCreditsAreToppedUpFromTheMembersAreaAndFromTheCreditsMessage(t *testing.T) {
	t.Parallel()
	tab, m := member(t, browser.Desk)
	tab.Go("/members")
	tab.Click("button", "Top up")
	tab.See("dialog", "Top up credits")
	tab.Text("Yours is the free trial, with 8 credits left.")
	onPhone(tab, "top-up-trial")
	tab.Click("link", "Upgrade to Topup")
	tab.See("heading", "A place to come back to")

	subscribe(t, m)
	require.NoError(t, product.Spend(t.Context(), m.UID, coreCredits))
	tab.Go("/bespoke-meditation-generator")
	tab.Text(outOfCredits)
	tab.Click("button", "Top up credits")
	tab.See("dialog", "Top up credits")
	tab.Press(browser.Escape)
	tab.Gone("dialog", "Top up credits")
	tab.Go("/members")
	tab.Click("button", "Top up")
	tab.Click("button", "Add to Basket, £10.99")
	onPhone(tab, "top-up")
	tab.Click("link", "Go to your basket")
	openPayment(tab, "£10.99")
	payBy(tab, acceptedCard, "£10.99")
	tab.See("heading", "Order Successful!")
	tab.Text("Your 40 credits are yours to use.")
	requirePaid(t, m, 2, 0, 40)
}

// A thing to wear in its size is sent to the address of the payment page.
func TestApparelIsBoughtInItsSizeAndSentToTheAddress(t *testing.T) {
	t.Parallel()
	tab, m := member(t, browser.Desk)
	tab.Go("/apparel")
	tab.Expect("the sizes work", browser.Started("details summary"))
	tab.Eval(`document.querySelector("details summary").click()`)
	tab.Click("button", "One more: The leaning pine tee, size M")
	tab.Text("The leaning pine tee added to basket!")
	inBasket(tab, ", 1 item")
	tab.Go("/checkout")
	tab.See("heading", "Checkout")
	tab.Text("Size M")
	tab.Click("button", "Pay £28.00")
	tab.See("heading", "Payment")
	tab.Fill("Full name", "Amara Lindqvist")
	tab.Fill("Street and number", "1 Sample Street")
	tab.Fill("Town or city", "Bath")
	tab.Fill("Postcode", "BA1 1AA")
	tab.Fill("Test card number", acceptedCard)
	tab.Press("\r")
	tab.See("heading", "Order Successful!")
	tab.Click("link", "View Orders")
	tab.Text("1 Sample Street")
	tab.Text("size M")
	requirePaid(t, m, 1, trialCredits(t.Context(), t), 0)
}

// There is nothing to pay for: by address, and after another tab has emptied the basket.
func TestAnEmptyCheckoutLeadsToTheBasket(t *testing.T) {
	t.Parallel()
	tab, m := member(t, browser.Desk)
	tab.Go("/checkout")
	tab.See("heading", "Your Basket is Empty")
	tab.Expect("the basket's address stands there", `location.pathname === "/basket"`)
	put(t, m, "half-way-tote", "")
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
	tab := visitor(t, browser.Desk)
	tab.Go("/test-payment")
	tab.Click("button", "Pay")
	tab.Text("Please give an email address.")
	tab.Fill("Email", "amara@lakehouse.example")
	tab.Click("button", "Pay")
	tab.Text("The test payment succeeded.")
	onPhone(tab, "test-payment")
}
