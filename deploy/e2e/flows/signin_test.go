package flows

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/deploy/e2e/browser"
	"serein.app/deploy/e2e/suite"
)

// Where popups are blocked, the same tab signs in and comes back to where it was; and signing out in one tab signs every tab out.
func TestSigningInWorksInTheSameTabWherePopupsAreBlockedAndSigningOutEndsTheSessionInEveryTab(t *testing.T) {
	t.Parallel()
	m, err := product.NewMember(t.Context())
	require.NoError(t, err)
	tab := product.Newcomer(t, browser.Look{Width: 1440, Height: 900, Theme: "dark", Moving: true, BlockPopups: true})
	tab.Go("/bespoke-meditation-generator")
	tab.Fill("Title", "Before the meeting")
	tab.Click("link", "Sign in")

	tab.See("heading", "Sign in")
	tab.Fill("Username or email", m.Username)
	tab.Fill("Password", "not the password")
	tab.Click("button", "Sign in")
	tab.See("alert", "")
	tab.Picture("refused")
	tab.Accessible()
	tab.IgnoreErrors() // the refusal's status stands in the console

	suite.SignIn(tab, m)
	tab.See("heading", "Make a meditation")
	tab.Expect("what was written is still there", `document.querySelector("#title").value === "Before the meeting"`)
	tab.Text(fmt.Sprintf("Uses %d of your %d plan credits", immersive, product.TrialCredits(t.Context(), t)))
	tab.See("link", "Amara")

	other := tab.Sibling()
	other.Go("/journey")
	other.See("heading", "My Journey")
	tab.Go("/members")
	suite.LogOut(tab)
	// The other tab first: a page that is asked something while it goes through the sign-out's redirects
	// behind another tab may leave that, and all that it is asked later, without an answer (Chromium 156).
	other.Gone("link", "Amara")
	other.Expect("My Journey is left", `location.pathname === "/"`)
	tab.See("link", "Sign in")
}

// All that the main job needs can be done without a pointer.
func TestAMeditationIsMadeByKeyboardAlone(t *testing.T) {
	t.Parallel()
	tab, _ := product.Member(t, browser.Desk)
	tab.Go("/bespoke-meditation-generator")
	tab.See("heading", "Make a meditation")
	tab.Focus("textbox", "Title")
	tab.Press("Ten minutes before sleep")
	for range 20 {
		if tab.Focused("button", "Generate") {
			break
		}
		tab.Press(browser.TabKey)
	}
	require.True(t, tab.Focused("button", "Generate"), "the Tab key never came to the button")
	tab.Press(browser.Enter)
	tab.See("heading", "Ten minutes before sleep")
	tab.See("button", "Cancel")
	tab.Focus("button", "Cancel")
	tab.Press(browser.Space)
	tab.Text("so this is free")
	tab.ExpectErrors(`404 .*/segments/\d+`) // a piece that the page is fetching goes with the cancellation
	tab.Focus("button", "Cancel it")
	tab.Press(browser.Space)
	tab.Text("Cancelled. Your 2 credits are back with you.")
	tab.Text(fmt.Sprintf("Uses %d of your %d plan credits", immersive, product.TrialCredits(t.Context(), t)))
}
