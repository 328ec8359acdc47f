//go:build full

package engines

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/deploy/e2e/browser"
	"serein.app/deploy/e2e/harness"
	"serein.app/deploy/e2e/suite"
)

// From the home page to a session, out of it, and in again by the window that the app opens for it.
func TestAVisitorSignsUpSignsOutAndSignsInAgain(t *testing.T) {
	inEach(t, func(p *page) {
		person := suite.NewPerson()
		p.open("/")
		p.press("button", "Click to enter")
		p.press("button", "Confirm: I am 16 or over")
		p.press("button", "Start your free trial")
		p.fill("First Name", "Amara")
		p.fill("Family Name", "Lindqvist")
		p.fill("Email", person.Email)
		p.fill("Username", person.Username)
		p.fill("Password", person.Password)
		p.press("checkbox", "I am 16 or over")
		p.press("button", "Create Account")
		p.expect("the code is asked for", `document.body.innerText.includes("Check your email for the confirmation code.")`)
		code, err := product.Code(p.t.Context(), person.Email)
		require.NoError(p.t, err)
		p.fill("Confirmation Code", code)
		p.press("button", "Confirm Account")
		p.press("switch", "Essentials required")
		p.press("button", "Update Consent and Preferences")
		p.see("link", "Amara")

		p.open("/members")
		p.expect("the part that comes last is there", `/Add a passkey|doesn’t support passkeys/.test(document.body.innerText)`)
		p.press("button", "Logout")
		p.see("link", "Sign in")
		p.signInByWindow(person)
		p.see("link", "Amara")
		require.NoError(p.t, p.Reload(p.t.Context()))
		p.see("link", "Amara")
	})
}

// signInByWindow presses the link and answers in the window that opens, which closes itself.
func (p *page) signInByWindow(m *harness.Member) {
	p.t.Helper()
	own, err := p.Tab(p.t.Context())
	require.NoError(p.t, err)
	p.expect("the app has taken the page over", browser.Started("main h1")) // before that, the link leads there in this tab
	p.press("link", "Sign in")
	p.soon("a window opens", func(ctx context.Context) (bool, error) {
		all, err := p.Tabs(ctx)
		for _, handle := range all {
			if handle != own {
				return true, p.Switch(ctx, handle)
			}
		}
		return false, err
	})
	p.answer(m)
	require.NoError(p.t, p.Switch(p.t.Context(), own))
}
