package e2e

import (
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"serein.app/deploy/e2e/browser"
	"serein.app/deploy/e2e/harness"
)

// visitor stands on the home page, behind the veil and the question of age.
func visitor(t *testing.T, look browser.Look) *browser.Tab {
	t.Helper()
	tab := chromium.Person(t, product.URL(), look)
	tab.Go("/")
	tab.Click("button", "Click to enter")
	tab.Click("button", "Confirm: I am 16 or over")
	tab.Gone("button", "Click to enter")
	return tab
}

// signIn answers the hosted page.
func signIn(page *browser.Tab, m *harness.Member) {
	page.See("heading", "Sign in")
	page.Fill("Username or email", m.Username)
	page.Fill("Password", m.Password)
	page.Click("button", "Sign in")
}

// signInAnew signs out, and comes to the hosted page again.
func signInAnew(tab *browser.Tab) {
	tab.Click("button", "Logout")
	tab.Click("link", "Sign in")
}

// member is signed in, in a browser that blocks popups.
func member(t *testing.T, look browser.Look) (*browser.Tab, *harness.Member) {
	t.Helper()
	m, err := product.NewMember(t.Context())
	require.NoError(t, err)
	look.BlockPopups = true
	tab := visitor(t, look)
	tab.Click("link", "Sign in")
	signIn(tab, m)
	tab.See("link", "Amara")
	return tab, m
}

// newPerson is somebody who has no account yet.
func newPerson() *harness.Member {
	name := "amara" + uuid.NewString()[:8]
	return &harness.Member{Username: name, Email: name + "@example.org", Password: harness.Password}
}
