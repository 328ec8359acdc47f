package critical

import (
	"fmt"
	"html"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/deploy/e2e/browser"
)

// sessionCookie is the gateway's.
const sessionCookie = "__Host-serein"

// anotherSite serves one page at every path. 127.0.0.1 is another site than localhost, where the product is.
func anotherSite(t *testing.T, body string) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = fmt.Fprintf(w, `<!doctype html><html lang="en"><title>Another site</title><link rel="icon" href="data:,"><h1>Another site</h1>%s`, body)
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// link is a link of that name.
func link(name, address string) string {
	return fmt.Sprintf(`<a href="%s">%s</a>`, html.EscapeString(address), name)
}

// Login CSRF: another site hands the victim's browser the end of the attacker's own sign-in, so that they write into the attacker's account.
func TestAnotherSiteFinishesNoSignInOfItsOwnInSomebodysBrowser(t *testing.T) {
	t.Parallel()
	attacker, err := product.Join(t.Context())
	require.NoError(t, err)
	callback := func() string {
		address, err := attacker.Callback(t.Context())
		require.NoError(t, err)
		return address
	}

	tab := product.Visitor(t, browser.Desk)
	tab.Visit(anotherSite(t, link("Win", callback())))
	tab.Click("link", "Win")
	tab.See("heading", "Not signed in")
	tab.IgnoreErrors() // the refusal's status stands in the console
	require.Empty(t, tab.Cookie(sessionCookie))

	// The same while the victim has begun a sign-in of their own.
	tab.Go("/auth/sign-in?return_to=/journey")
	tab.See("heading", "Sign in")
	tab.Visit(anotherSite(t, link("Win", callback())))
	tab.Click("link", "Win")
	tab.See("heading", "Not signed in")
	tab.IgnoreErrors()
	require.Empty(t, tab.Cookie(sessionCookie))
}
