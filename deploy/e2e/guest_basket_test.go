package e2e

import (
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/deploy/e2e/browser"
)

// addButtons are those of two things without sizes.
const addButtons = `["Half-way tote", "Linen eye pillow"].map((name) => document.querySelector("[aria-label='Add to basket: " + name + "']"))`

// A visitor's basket, two of whose things are added at once and before the app has begun, goes into the member's, is out of sight after signing
// out, and there again.
func TestAVisitorsBasketComesAlongAndIsTheMembersOwn(t *testing.T) {
	t.Parallel()
	m, err := product.NewMember(t.Context())
	require.NoError(t, err)
	put(t, m, "half-way-tote", "")
	look := browser.Desk
	look.BlockPopups = true
	tab := visitor(t, look)
	tab.Early(addButtons + `.forEach((button) => button?.click())`)
	tab.Go("/apparel")
	tab.Text("Half-way tote added to basket!")
	tab.Text("Linen eye pillow added to basket!")
	inBasket(tab, ", 2 items")
	tab.Go("/basket")
	inBasket(tab, ", 2 items") // one basket, not two
	tab.Click("link", "Sign in")
	signIn(tab, m)
	tab.Text("What you chose before signing in is in your basket too.")
	inBasket(tab, ", 3 items")

	other := tab.Sibling()
	other.Go("/basket")
	other.Text("Linen eye pillow")
	tab.Go("/members")
	tab.Click("button", "Logout")
	other.Gone("link", "Amara")
	other.See("heading", "Your Basket is Empty")
	inBasket(other, ", empty")

	tab.See("link", "Sign in")
	tab.Click("link", "Sign in")
	signIn(tab, m)
	inBasket(tab, ", 3 items")
}

// The plan whose button a visitor pressed is paid after signing up, and leads to a payment once.
func TestAPlanThatAVisitorChoseIsPaidAfterSigningUpOnce(t *testing.T) {
	t.Parallel()
	person := newPerson()
	tab := visitor(t, browser.Desk)
	tab.Go("/memberships")
	tab.Click("button", "Sign up and pay now: Core")
	fillAccount(tab, person)
	confirmCode(t, tab, person)
	tab.See("heading", "Payment")
	tab.Text("£7.99")
	tab.Click("link", "Go back without paying")
	tab.See("heading", "Before we begin") // over the page, which says:
	tab.Text("You came back without paying, and nothing has been taken.")
	tab.Go("/members")
	tab.See("heading", "Before we begin")
	tab.Expect("the plan is forgotten", `sessionStorage.getItem("pendingPlan") === null && location.pathname === "/members"`)
}
