package suite

import (
	"context"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"serein.app/deploy/e2e/browser"
	"serein.app/deploy/e2e/harness"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

// NewPassword is what the tests change a password to.
const NewPassword = "Seven-quiet-herons-4"

// Newcomer stands on the home page, and has lifted the veil and answered the question of age.
func (p *Product) Newcomer(t *testing.T, look browser.Look) *browser.Tab {
	t.Helper()
	tab := p.Chromium.Person(t, p.URL(), look)
	tab.Go("/")
	tab.Click("button", "Click to enter")
	tab.Click("button", "Confirm: I am 16 or over")
	tab.Gone("button", "Click to enter")
	return tab
}

// visited is what a visit leaves in the window: the veil was lifted (Veil.tsx) and the question of age answered (AgeBanner.tsx).
const visited = `sessionStorage.setItem("serein-entered", "yes"); document.cookie = "__Host-serein-age=yes;path=/;secure;samesite=lax"`

// person has been here before, and sees neither veil nor question of age.
func (p *Product) person(t *testing.T, look browser.Look) *browser.Tab {
	t.Helper()
	tab := p.Chromium.Person(t, p.URL(), look)
	tab.Recall(visited)
	return tab
}

// Visitor stands on the home page, and has been here before.
func (p *Product) Visitor(t *testing.T, look browser.Look) *browser.Tab {
	t.Helper()
	tab := p.person(t, look)
	tab.Go("/")
	return tab
}

// Member stands on the home page, signed in by the cookies of another window, in a browser that blocks popups.
func (p *Product) Member(t *testing.T, look browser.Look) (*browser.Tab, *harness.Member) {
	t.Helper()
	m, err := p.NewMember(t.Context())
	require.NoError(t, err)
	cookies, err := m.Cookies()
	require.NoError(t, err)
	look.BlockPopups = true
	tab := p.person(t, look)
	for _, cookie := range cookies {
		tab.Plant(cookie.Name, cookie.Value)
	}
	tab.Go("/")
	tab.See("link", "Amara")
	return tab, m
}

// BecomeAdmin has the member's next page be an admin's.
func (p *Product) BecomeAdmin(t *testing.T, m *harness.Member) {
	t.Helper()
	require.NoError(t, p.Do(t.Context(), "identity", "grant-admin", m.Username))
	require.NoError(t, harness.Eventually(t.Context(), "an admin", func(ctx context.Context) (bool, error) {
		session, err := m.Session.GetSession(ctx, &webv1.GetSessionRequest{})
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
