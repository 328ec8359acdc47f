//go:build full

package flows

import (
	"testing"

	"serein.app/deploy/e2e/browser"
	"serein.app/deploy/e2e/suite"
)

// The plan whose button a visitor pressed is paid after signing up, and leads to a payment once.
func TestAPlanThatAVisitorChoseIsPaidAfterSigningUpOnce(t *testing.T) {
	t.Parallel()
	person := suite.NewPerson()
	tab := product.Visitor(t, browser.Desk)
	tab.Go("/memberships")
	tab.Click("button", "Sign up and pay now: Core")
	suite.FillAccount(tab, person)
	product.ConfirmCode(t, tab, person)
	tab.See("heading", "Payment")
	tab.Text("£7.99")
	tab.Click("link", "Go back without paying")
	tab.See("heading", "Before we begin") // over the page, which says:
	tab.Text("You came back without paying, so you haven’t been charged.")
	tab.Go("/members")
	tab.See("heading", "Before we begin")
	tab.Expect("the plan is forgotten", `sessionStorage.getItem("pendingPlan") === null && location.pathname === "/members"`)
}
