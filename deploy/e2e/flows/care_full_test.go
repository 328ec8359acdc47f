//go:build full

package flows

import (
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/deploy/e2e/browser"
	"serein.app/deploy/e2e/suite"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

func TestAVisitorsTitleOfCrisisIsMetWithCareBeforeTheSignUp(t *testing.T) {
	t.Parallel()
	tab := product.Visitor(t, browser.Look{Width: 360, Height: 800, Theme: "light"})
	tab.ExpectErrors("CheckTitle") // the refusals are errors in the console: one when asked, one when the page is opened again
	tab.Go("/bespoke-meditation-generator")
	tab.Fill("Title", suite.Crisis)
	tab.Click("button", "Create your account")
	tab.See("heading", careHead)
	tab.Expect("the words of care have the focus", care)
	require.Equal(t, "/bespoke-meditation-generator", tab.Path())
	tab.Expect("nothing lies over the helplines", `!document.querySelector("aside > a").checkVisibility()`)
	tab.Go("/bespoke-meditation-generator")
	tab.See("heading", careHead)
	tab.Text(quietLine)

	tab.Fill("Title", "A quiet evening")
	tab.Gone("heading", careHead)
	tab.Click("button", "Create your account")
	tab.Expect("the sign-up opens", `location.pathname === "/signup"`)
	tab.Go("/bespoke-meditation-generator")
	tab.Click("button", quietLine)
	tab.See("heading", "There are people you can talk to")
	suite.EachLook(tab, "care-by-hand")
}

func TestAMemberWithoutCreditsIsMetWithCareToo(t *testing.T) {
	t.Parallel()
	tab, m := product.Member(t, browser.Desk)
	require.NoError(t, product.Spend(t.Context(), m.UID, product.TrialCredits(t.Context(), t)))
	before := product.Holds(t.Context(), t, m)
	tab.Go("/bespoke-meditation-generator")
	tab.Text(suite.OutOfCredits)
	tab.Fill("Title", suite.Crisis)
	tab.Click("button", "Generate")
	tab.See("heading", careHead)
	tab.Expect("the words of care have the focus", care)
	tab.IgnoreErrors() // the refusal is an error in the console
	require.Equal(t, before, product.Holds(t.Context(), t, m))
	list, err := m.Journey.ListBespoke(t.Context(), &webv1.ListBespokeRequest{})
	require.NoError(t, err)
	require.Empty(t, list.GetMeditations())
}
