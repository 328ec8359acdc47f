package critical

import (
	"testing"

	"serein.app/deploy/e2e/browser"
	"serein.app/deploy/e2e/suite"
)

// Chromium makes a passkey in the Members Area, and lets its member in with it on the provider's page, without a password, until it is
// removed.
func TestAMemberSignsInWithAPasskeyUntilTheyRemoveIt(t *testing.T) {
	t.Parallel()
	tab, m := product.Member(t, browser.Desk)
	tab.ExpectErrors("401") // a passkey that is refused
	tab.Authenticator()
	tab.Go("/members")
	tab.Click("button", "Add a passkey")
	tab.Fill("Current password", m.Password)
	tab.Accessible()
	tab.Picture("add")
	tab.Click("button", "Add the passkey")
	tab.Text("Your passkey has been added.")
	tab.Text("Passkey, added")
	suite.OnPhone(tab, "ways-in")
	product.RequireLetter(t, m, "A passkey was added")
	signInAgain(tab)
	tab.See("heading", "Sign in")
	suite.OnPhone(tab, "sign-in")
	tab.Expect("nothing has failed yet", `!document.body.innerText.includes("We didn’t get a passkey")`)
	tab.Click("button", "Use a passkey")
	tab.See("link", "Amara")

	tab.Go("/members")
	tab.Text(", used ")
	tab.Click("button", "Remove the passkey Linux computer, Chrome")
	tab.Fill("Current password", m.Password)
	tab.Click("button", "Remove it")
	tab.Text("The passkey Linux computer, Chrome has been removed.")
	product.RequireLetter(t, m, "A passkey was removed")
	signInAgain(tab)
	tab.Click("button", "Use a passkey")
	tab.Text("That passkey didn’t work.")
}
