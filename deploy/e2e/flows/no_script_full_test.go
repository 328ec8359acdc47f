//go:build full

package flows

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/deploy/e2e/browser"
	"serein.app/deploy/e2e/suite"
)

// Without JavaScript every page says what it is, nothing dead lies over it, and signing in works.
func TestWithoutJavaScriptPagesCanBeReadAndLeft(t *testing.T) {
	t.Parallel()
	tab := product.Chromium.Person(t, product.URL(), browser.Desk)
	tab.WithoutScripts()
	for path, heading := range map[string]string{
		"/": "Quiet, made to measure", "/about": "About", "/contact": "Write to us", "/articles": "Articles", "/articles/" + suite.OpenSlug: suite.OpenTitle, "/sitemap": "Sitemap", "/login": "Welcome back",
		"/signup/confirm?username=amara": "Quiet, made to measure", "/no-such-page": "Page Not Found",
	} {
		tab.Go(path)
		tab.See("heading", heading)
		tab.See("link", "Sign in")
		require.False(t, tab.Has("button", "Click to enter"), path)
	}
	tab.Picture("no-such-page")
	tab.IgnoreErrors() // the page that is not there is a 404 in the console too

	nowhere, err := product.NewBrowser().Get(t.Context(), "/no-such-page", "Accept", "text/html")
	require.NoError(t, err)
	require.Equal(t, http.StatusNotFound, nowhere.StatusCode)
	require.Contains(t, nowhere.Body, "<title>Page Not Found")
	require.Contains(t, nowhere.Body, "The page you’re looking for doesn’t exist or has been moved.")

	tab.Go("/login")
	tab.Focus("link", "Sign in")
	tab.Press(browser.Enter)
	tab.See("textbox", "Username or email")
}

func TestWithoutScriptsThePasswordAloneIsAskedFor(t *testing.T) {
	t.Parallel()
	tab := product.Visitor(t, browser.Desk)
	tab.Go("/auth/sign-in?return_to=/")
	tab.See("button", "Use a passkey")
	tab.WithoutScripts()
	tab.Go("/auth/sign-in?return_to=/")
	tab.See("button", "Sign in")
	tab.Gone("button", "Use a passkey")
}
