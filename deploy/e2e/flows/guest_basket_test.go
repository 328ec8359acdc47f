package flows

import (
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/deploy/e2e/browser"
	"serein.app/deploy/e2e/suite"
)

// addButtons are those of two things without sizes.
const addButtons = `["Half-way tote", "Linen eye pillow"].map((name) => document.querySelector("[aria-label='Add to basket: " + name + "']"))`

// A visitor's basket, two of whose things are added at once and before the app has begun, goes into the member's, is out of sight after signing
// out, and there again.
func TestAVisitorsBasketComesAlongAndIsTheMembersOwn(t *testing.T) {
	t.Parallel()
	m, err := product.NewMember(t.Context())
	require.NoError(t, err)
	suite.Put(t, m, "half-way-tote", "")
	look := browser.Desk
	look.BlockPopups = true
	tab := product.Visitor(t, look)
	tab.Early(addButtons + `.forEach((button) => button?.click())`)
	tab.Go("/apparel")
	tab.Said("Half-way tote added to basket!")
	tab.Said("Linen eye pillow added to basket!")
	suite.InBasket(tab, ", 2 items")
	tab.Go("/basket")
	suite.InBasket(tab, ", 2 items") // one basket, not two
	tab.Click("link", "Sign in")
	suite.SignIn(tab, m)
	tab.Said("What you chose before signing in is in your basket too.")
	suite.InBasket(tab, ", 3 items")

	other := tab.Sibling()
	other.Go("/basket")
	other.Text("Linen eye pillow")
	tab.Go("/members")
	suite.LogOut(tab)
	other.Gone("link", "Amara")
	other.See("heading", "Your Basket is Empty")
	suite.InBasket(other, ", empty")

	tab.See("link", "Sign in")
	tab.Click("link", "Sign in")
	suite.SignIn(tab, m)
	suite.InBasket(tab, ", 3 items")
}
