package critical

import (
	"testing"

	"serein.app/deploy/e2e/browser"
	"serein.app/deploy/e2e/suite"
)

// A thing to wear in its size is sent to the address of the payment page.
func TestApparelIsBoughtInItsSizeAndSentToTheAddress(t *testing.T) {
	t.Parallel()
	tab, m := product.Member(t, browser.Desk)
	tab.Go("/apparel")
	tab.Expect("the sizes work", browser.Started("details summary"))
	tab.Eval(`document.querySelector("details summary").click()`)
	tab.Click("button", "One more: The leaning pine tee, size M")
	tab.Said("The leaning pine tee added to basket!")
	suite.InBasket(tab, ", 1 item")
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
	suite.RequirePaid(t, m, 1, product.TrialCredits(t.Context(), t), 0)
}
