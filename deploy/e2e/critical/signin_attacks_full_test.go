//go:build full

package critical

import (
	"encoding/json"
	"fmt"
	"html"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/deploy/e2e/browser"
	"serein.app/deploy/e2e/harness"
	"serein.app/deploy/e2e/suite"
	"serein.app/services/testkit/redirects"
)

// Login CSRF at the provider: another site sends the hosted form, filled in with the attacker's own name and password.
func TestAnotherSiteFillsInNoHostedFormInSomebodysBrowser(t *testing.T) {
	t.Parallel()
	attacker, err := product.Join(t.Context())
	require.NoError(t, err)
	hosted, err := product.NewBrowser().Get(t.Context(), "/auth/sign-in")
	require.NoError(t, err)
	fields, err := harness.Fields(hosted)
	require.NoError(t, err)
	fields.Set("login", attacker.Username)
	fields.Set("password", attacker.Password)
	var inputs strings.Builder
	for name := range fields {
		fmt.Fprintf(&inputs, `<input type="hidden" name="%s" value="%s">`, html.EscapeString(name), html.EscapeString(fields.Get(name)))
	}
	site := anotherSite(t, fmt.Sprintf(`<form method="post" action="%s/sign-in">%s<button>Win</button></form>`, product.Issuer(), inputs.String()))

	tab := product.Chromium.Elsewhere(t, product.URL(), browser.Desk)
	tab.Visit(site)
	tab.Click("button", "Win")
	tab.Text("cross-origin request detected")
	tab.IgnoreErrors() // the refusal's status stands in the console
	tab.Go("/auth/sign-in?return_to=/journey")
	tab.See("textbox", "Password") // the provider knows nobody in this browser
	require.Empty(t, tab.Cookie(sessionCookie))
}

// ASVS 5.0, 7.6.2: where the provider's session lives a sign-in needs nothing of its person, so another site's link asks first.
func TestAnotherSiteSignsNobodyInWithoutTheirWord(t *testing.T) {
	t.Parallel()
	tab, _ := product.Member(t, browser.Desk)
	tab.Forget(sessionCookie)
	tab.Visit(anotherSite(t, link("Look", product.URL()+"/auth/sign-in?popup=1&return_to=/journey")))
	tab.Click("link", "Look")
	tab.See("heading", "Sign in to Serein?")
	tab.Accessible()
	tab.Picture("asked")
	require.Empty(t, tab.Cookie(sessionCookie))

	tab.Click("link", "Sign in")
	tab.See("heading", "My Journey")
	tab.See("link", "Amara")
}

// Session fixation: an id that somebody else knows is never that of the session that begins.
func TestAPlantedCookieIsNotTheSessionThatBegins(t *testing.T) {
	t.Parallel()
	m, err := product.NewMember(t.Context())
	require.NoError(t, err)
	attacker, err := product.Join(t.Context())
	require.NoError(t, err)
	cookies, err := attacker.Cookies()
	require.NoError(t, err)
	var planted string
	for _, cookie := range cookies {
		if cookie.Name == sessionCookie {
			planted = cookie.Value
		}
	}
	require.NotEmpty(t, planted)

	tab := product.Chromium.Elsewhere(t, product.URL(), browser.Desk)
	tab.Plant(sessionCookie, planted)
	tab.Go("/auth/sign-in?return_to=/journey")
	suite.SignIn(tab, m)
	tab.See("heading", "My Journey")
	require.NotEmpty(t, tab.Cookie(sessionCookie))
	require.NotEqual(t, planted, tab.Cookie(sessionCookie))
	who, err := attacker.Get(t.Context(), "/api/GetUser", "X-Serein", "1")
	require.NoError(t, err)
	require.NotContains(t, who.Body, m.Username, "what the attacker knows opens nothing of the member's")
}

// A neighbour under the same name has no hand on the cookies that stand for a session or an attempt.
func TestANeighbourPlantsNoCookie(t *testing.T) {
	t.Parallel()
	site := anotherSite(t, `<script>
		for (const name of ["__Host-serein", "__Host-serein-login-0123456789abcdef"]) for (const more of ["; Domain=localhost; Path=/; Secure", "; Domain=.localhost; Path=/", "; Path=/; Secure; Domain="])
			document.cookie = name + "=planted" + more</script>`)
	tab := product.Chromium.Person(t, product.URL(), browser.Desk)
	tab.Visit(strings.Replace(site, "127.0.0.1", "evil.localhost", 1))
	tab.See("heading", "Another site")
	tab.Go("/login")
	require.Empty(t, tab.Cookie("__Host-serein"))
	require.Empty(t, tab.Cookie("__Host-serein-login-0123456789abcdef"))
}

// Windows of different sites speak by postMessage and by channels; here neither hears nor tells.
func TestAnotherSiteIsToldNothingAndBelievedInNothing(t *testing.T) {
	t.Parallel()
	tab, _ := product.Member(t, browser.Desk)
	address, err := json.Marshal(product.URL())
	require.NoError(t, err)
	site := anotherSite(t, `<button onclick="w = window.open(product + '/journey')">Open a page</button>
		<button onclick="w = window.open(product + '/auth/sign-in?popup=1', 'serein-sign-in')">Open the sign-in</button><script>
		const product = `+string(address)+`, heard = [], channel = new BroadcastChannel("serein-session"), own = new BroadcastChannel("serein-session")
		let w, told = 0
		onmessage = channel.onmessage = (event) => heard.push(event.data)
		own.onmessage = () => told++
		const tell = () => { for (const type of ["signed-in", "signed-out"]) { w.postMessage({ type }, "*"); channel.postMessage({ type }) } }</script>`)
	for button, then := range map[string]func(popup *browser.Tab){
		"Open a page": func(popup *browser.Tab) { popup.See("heading", "My Journey") },
		"Open the sign-in": func(popup *browser.Tab) {
			popup.See("heading", "Sign in to Serein?")
			popup.Click("link", "Sign in")
			popup.See("link", "Amara")
		},
	} {
		other := tab.Sibling()
		other.Visit(site)
		popup := other.Popup(func() { other.Click("button", button) })
		popup.Resize(browser.Desk) // where the member's name stands in the head
		then(popup)
		other.Expect("the window is out of its hands", `w.closed`)
		other.Eval(`tell()`)
		other.Expect("its own pages have heard it", `told === 2`)
		popup.See("link", "Amara")
		require.Equal(t, "0", other.Read(`String(heard.length)`), button)
	}
	tab.Go("/journey")
	tab.See("link", "Amara")
}

// Whatever a return address holds, the browser stays with us at the end.
func TestNoTrickLeadsABrowserAwayAfterASignIn(t *testing.T) {
	t.Parallel()
	tab, _ := product.Member(t, browser.Desk)
	tab.IgnoreErrors() // each sign-in ends the session of the page before it, whose questions may be under way
	own, err := url.Parse(product.URL())
	require.NoError(t, err)
	for _, trick := range redirects.Tricks(own.Host) {
		tab.Go("/auth/sign-in?return_to=" + url.QueryEscape(trick))
		require.Equal(t, product.URL()+"/", tab.Read(`location.href`), "%q", trick)
	}
}
