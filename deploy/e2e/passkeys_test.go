package e2e

import (
	"testing"

	"serein.app/deploy/e2e/browser"
)

// Chromium makes a passkey in the Members Area, and lets its member in with it on the provider's page, without a password, until it is
// removed.
func TestAMemberSignsInWithAPasskeyUntilTheyRemoveIt(t *testing.T) {
	t.Parallel()
	tab, m := member(t, browser.Desk)
	tab.ExpectErrors("401") // a passkey that is refused
	tab.Authenticator()
	tab.Go("/members")
	tab.Click("button", "Add a passkey")
	tab.Fill("Present password", m.Password)
	tab.Accessible()
	tab.Picture("add")
	tab.Click("button", "Add the passkey")
	tab.Text("Your passkey is added.")
	tab.Text("Passkey, added")
	onPhone(tab, "ways-in")
	requireLetter(t, m, "A passkey was added")
	signInAnew(tab)
	tab.See("heading", "Sign in")
	onPhone(tab, "sign-in")
	tab.Expect("nothing has failed yet", `!document.body.innerText.includes("No passkey was given")`)
	tab.Click("button", "Use a passkey")
	tab.See("link", "Amara")

	tab.Go("/members")
	tab.Text(", used ")
	tab.Click("button", "Remove the passkey Linux computer, Chrome")
	tab.Fill("Present password", m.Password)
	tab.Click("button", "Remove it")
	tab.Text("The passkey Linux computer, Chrome is removed.")
	requireLetter(t, m, "A passkey was removed")
	signInAnew(tab)
	tab.Click("button", "Use a passkey")
	tab.Text("That passkey did not work.")
}

func TestWithoutScriptsThePasswordAloneIsAskedFor(t *testing.T) {
	t.Parallel()
	tab := visitor(t, browser.Desk)
	tab.Go("/auth/sign-in?return_to=/")
	tab.See("button", "Use a passkey")
	tab.WithoutScripts()
	tab.Go("/auth/sign-in?return_to=/")
	tab.See("button", "Sign in")
	tab.Gone("button", "Use a passkey")
}
