package suite

import (
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"serein.app/deploy/e2e/browser"
	"serein.app/deploy/e2e/harness"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

// NewPassword is what the tests change a password to.
const NewPassword = "Seven-quiet-herons-4"

// Visitor stands on the home page, behind the veil and the question of age.
func (p *Product) Visitor(t *testing.T, look browser.Look) *browser.Tab {
	t.Helper()
	tab := p.Chromium.Person(t, p.URL(), look)
	tab.Go("/")
	tab.Click("button", "Click to enter")
	tab.Click("button", "Confirm: I am 16 or over")
	tab.Gone("button", "Click to enter")
	return tab
}

// Member is signed in, in a browser that blocks popups.
func (p *Product) Member(t *testing.T, look browser.Look) (*browser.Tab, *harness.Member) {
	t.Helper()
	m, err := p.NewMember(t.Context())
	require.NoError(t, err)
	look.BlockPopups = true
	tab := p.Visitor(t, look)
	tab.Click("link", "Sign in")
	SignIn(tab, m)
	tab.See("link", "Amara")
	return tab, m
}

// Admin is signed in, in a browser of their own.
func (p *Product) Admin(t *testing.T) *browser.Tab {
	t.Helper()
	tab, m := p.Member(t, browser.Desk)
	p.BecomeAdmin(t, m)
	return tab
}

// BecomeAdmin has the member's next page be an admin's.
func (p *Product) BecomeAdmin(t *testing.T, m *harness.Member) {
	t.Helper()
	require.NoError(t, p.Do(t.Context(), "identity", "grant-admin", m.Username))
	require.NoError(t, harness.Eventually(t.Context(), "an admin", func() (bool, error) {
		session, err := m.Session.GetSession(t.Context(), &webv1.GetSessionRequest{})
		return session.GetMember().GetAdmin(), err
	}))
}

// NewPerson is somebody who has no account yet.
func NewPerson() *harness.Member {
	name := "amara" + uuid.NewString()[:8]
	return &harness.Member{Username: name, Email: name + "@example.org", Password: harness.Password}
}

// SignIn answers the hosted page.
func SignIn(page *browser.Tab, m *harness.Member) {
	page.See("heading", "Sign in")
	page.Fill("Username or email", m.Username)
	page.Fill("Password", m.Password)
	page.Click("button", "Sign in")
}
