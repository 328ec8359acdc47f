package critical

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/deploy/e2e/browser"
	"serein.app/deploy/e2e/suite"
)

// From the plan's card to the receipt: what is bought is there, said everywhere, and no longer in the basket.
func TestAMemberOfATrialBuysAMembershipAndHasItEverywhere(t *testing.T) {
	t.Parallel()
	tab, m := product.Member(t, browser.Desk)
	choosePlan(tab, "Premium")
	suite.InBasket(tab, ", 1 item")
	suite.OnPhone(tab, "basket")
	tab.Click("link", "Proceed to Checkout")
	tab.See("heading", "Checkout")
	suite.OnPhone(tab, "checkout")
	tab.Click("button", "Pay £12.99")
	tab.See("heading", "Payment")
	payBy(tab, acceptedCard, "£12.99")
	tab.See("heading", "Order Successful!")
	tab.Text("Your Premium membership has started, with 60 credits.")
	suite.OnPhone(tab, "order-success")
	suite.InBasket(tab, ", empty")

	tab.Click("link", "View Orders")
	tab.See("heading", "Orders")
	paid := suite.PaidOrders(t, m)
	require.Len(t, paid, 1)
	tab.See("link", "Receipt of "+paid[0].GetNumber()+" (PDF)")
	suite.OnPhone(tab, "orders")
	receipt, err := m.Get(t.Context(), "/media/receipts/"+paid[0].GetId())
	require.NoError(t, err)
	require.Equal(t, "application/pdf", receipt.Header.Get("Content-Type"))
	require.True(t, strings.HasPrefix(receipt.Body, "%PDF-"))

	tab.Go("/members")
	tab.Text("Premium, monthly")
	tab.Expect("the plan's credits are there", `document.querySelector("main").innerText.includes("60\n")`)
	suite.OnPhone(tab, "members")
	tab.Go("/memberships")
	tab.Text("Your membership")
	tab.Text("Active")
	tab.Go("/basket")
	tab.See("heading", "Your Basket is Empty")
	suite.RequirePaid(t, m, 1, suite.PremiumCredits, 0)
}

// A card is declined, then its bank's question is refused, then answered: one order, one membership.
func TestAPaymentThatIsDeclinedAndAskedAboutIsMadeOnce(t *testing.T) {
	t.Parallel()
	tab, m := product.Member(t, browser.Desk)
	tab.ExpectErrors("422") // a form that is shown again
	choosePlan(tab, "Core")
	openPayment(tab, "£7.99")
	payBy(tab, declinedCard, "£7.99")
	tab.Text("Your card was declined.")
	payBy(tab, askingCard, "£7.99")
	tab.See("heading", "Confirm your payment")
	tab.Click("button", "Refuse it")
	tab.Text("Your bank did not confirm the payment.")
	payBy(tab, askingCard, "£7.99")
	tab.See("heading", "Confirm your payment")
	tab.Click("button", "Confirm the payment")
	tab.See("heading", "Order Successful!")
	suite.RequirePaid(t, m, 1, suite.CoreCredits, 0)
}
