package suite

import (
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/deploy/e2e/browser"
	"serein.app/deploy/e2e/harness"
)

// FillAccount answers the sign-up panel.
func FillAccount(tab *browser.Tab, person *harness.Member) {
	tab.See("heading", "Create Account")
	tab.Fill("First Name", "Amara")
	tab.Fill("Family Name", "Lindqvist")
	tab.Fill("Email", person.Email)
	tab.Fill("Username", person.Username)
	tab.Fill("Password", person.Password)
	tab.Click("checkbox", "I am 16 or over")
	tab.Picture("sign-up")
	tab.Accessible()
	tab.Click("button", "Create Account")
	tab.Text("Check your email for the confirmation code.")
}

// ConfirmCode types the mail's code in, which signs in: this browser has given the password before.
func (p *Product) ConfirmCode(t *testing.T, tab *browser.Tab, person *harness.Member) {
	t.Helper()
	code, err := p.Code(t.Context(), person.Email)
	require.NoError(t, err)
	tab.Fill("Confirmation Code", code)
	tab.Picture("confirm")
	tab.Click("button", "Confirm Account")
}

// LogOut presses the button in the Members Area once that has asked for all its parts and been answered.
func LogOut(tab *browser.Tab) {
	tab.See("button", "Add a passkey") // of the part that comes last
	tab.Answered()
	tab.Click("button", "Logout")
}
