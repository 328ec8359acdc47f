//go:build full

package flows

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/deploy/e2e/browser"
	"serein.app/deploy/e2e/harness"
	"serein.app/deploy/e2e/suite"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

func TestAChangedNameShowsAtOnceAndAChangedPasswordSignsEveryOtherBrowserOut(t *testing.T) {
	t.Parallel()
	tab, m := product.Member(t, browser.Desk)
	other := product.Visitor(t, browser.Look{Width: 1440, Height: 900, Theme: "light", BlockPopups: true})
	other.Click("link", "Sign in")
	suite.SignIn(other, m)
	other.See("link", "Amara")
	elsewhere := &harness.Member{Browser: product.NewBrowser(), Username: m.Username, Email: m.Email, Password: m.Password}
	require.NoError(t, elsewhere.SignIn(t.Context()))

	tab.Go("/members")
	changeName(tab)
	changePassword(tab, m)
	product.RequireLetter(t, m, "Your password has changed")

	signedOut(t, elsewhere)
	other.ExpectErrors("401") // of a session that has ended, and of the old password
	other.Go("/members")
	other.Click("button", "Sign in") // asked for by the page itself, or by its calls where it was sent a moment too early
	suite.SignIn(other, m)
	other.See("alert", "") // the old password is refused
	m.Password = suite.NewPassword
	suite.SignIn(other, m)
	other.See("link", "Ama")
	tab.Go("/journey")
	tab.See("link", "Ama") // who changed it is still signed in
}

func changeName(tab *browser.Tab) {
	tab.Click("button", "Change your name")
	tab.Fill("First Name", "Ama")
	tab.Accessible()
	tab.Picture("name")
	tab.Click("button", "Save the name")
	tab.Text("Your name has been changed.")
	tab.Text("Ama Lindqvist")
	tab.See("link", "Ama")
}

func changePassword(tab *browser.Tab, m *harness.Member) {
	tab.Click("button", "Change your password")
	tab.Fill("Current password", "not the password")
	tab.Fill("New password", suite.NewPassword)
	tab.Picture("password")
	tab.Accessible()
	tab.Click("button", "Save the password")
	tab.Text("That isn’t your password.")
	tab.IgnoreErrors() // the refusal's status stands in the console
	tab.Fill("Current password", m.Password)
	tab.Click("button", "Save the password")
	tab.Text("Your password has been changed. Every other device has been signed out.")
}

// signedOut waits until the member's session has ended. That of a member whom a tab was signed in with is the tab's own.
func signedOut(t *testing.T, m *harness.Member) {
	t.Helper()
	require.NoError(t, harness.Eventually(t.Context(), "the session ends", func(ctx context.Context) (bool, error) {
		session, err := m.Session.GetSession(ctx, &webv1.GetSessionRequest{})
		return err == nil && session.GetMember() == nil, err
	}))
}

func TestADeletedAccountIsToldUntilWhenAndSigningInUndoesIt(t *testing.T) {
	t.Parallel()
	tab, m := product.Member(t, browser.Desk)
	tab.Go("/members")
	tab.Click("button", "Delete my account")
	tab.Text("You have 14 days to change your mind")
	tab.Fill("To confirm, enter your password", "not the password")
	suite.EachLook(tab, "delete")
	tab.Click("button", "Delete my account")
	tab.Text("That isn’t your password.")
	tab.IgnoreErrors() // the refusal's status stands in the console
	tab.Fill("To confirm, enter your password", m.Password)
	tab.Click("button", "Delete my account")

	tab.See("heading", "Your account will be deleted")
	tab.Expect("the page is a visitor's", `location.pathname === "/"`)
	tab.Text("Until then you can sign in")
	suite.EachLook(tab, "left")
	product.RequireLetter(t, m, "Your account will be deleted, as you asked")
	signedOut(t, m)

	tab.Click("button", "Sign in to keep it")
	suite.SignIn(tab, m)
	tab.See("heading", "You asked us to delete this account")
	tab.Click("button", "Keep my account")
	tab.See("link", "Amara")
	tab.Expect("it leads to the Members Area", `location.pathname === "/members"`)
	tab.See("button", "Delete my account")
	tab.Gone("heading", "Your account will be deleted")
}
