package gateway

import (
	"bufio"
	"fmt"
	"html"
	"net"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/gateway/internal/session"
	"serein.app/services/testkit/issuer"
	"serein.app/services/testkit/redirects"
)

// goOn is the button of a page of the sign-in.
var goOn = regexp.MustCompile(`<a class="go"[^>]* href="([^"]*)"`)

// button is where the page's button leads.
func (a answer) button(tb testing.TB) string {
	tb.Helper()
	found := goOn.FindStringSubmatch(a.body)
	require.Len(tb, found, 2, a.body)
	return html.UnescapeString(found[1])
}

// ASVS 5.0, 7.6.2: a session begins with an act of its person, also where the provider would ask for none.
func TestASignInThatAnotherSiteBeginsWaitsForAButton(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	for _, site := range []string{"cross-site", "a word of later browsers"} {
		b := s.gateways[0].browser(t)
		asked := len(s.op.Asked())
		p := b.get(t, "/auth/sign-in?popup=1&login_hint=eve&return_to=/journey?tab=bespoke", "Sec-Fetch-Site", site)
		require.Equal(t, http.StatusOK, p.StatusCode)
		require.Contains(t, p.body, "Sign in to Serein?")
		require.Empty(t, p.Header.Values("Set-Cookie"), "an attempt that is under way in another tab goes on")
		require.Equal(t, "same-origin-allow-popups", p.Header.Get("Cross-Origin-Opener-Policy"), "who opened it has no hand on the page")
		require.Equal(t, "/auth/sign-in?return_to=%2Fjourney%3Ftab%3Dbespoke", p.button(t), "what another site says of the person is not believed")
		require.Len(t, s.op.Asked(), asked)

		begun := b.get(t, p.button(t), "Sec-Fetch-Site", "same-origin")
		back := b.get(t, begun.Header.Get("Location"))
		done := b.get(t, back.Header.Get("Location"), "Sec-Fetch-Site", "cross-site") // as a provider of somebody else's sends it
		require.Equal(t, "/journey?tab=bespoke", done.Header.Get("Location"))
		require.NotEmpty(t, b.cookie(session.CookieName))
	}
}

func TestASignInThatItsPersonBeginsIsNotAskedAbout(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	for name, site := range map[string]string{
		"our own page": "same-origin", "a hosted page": "same-site", "an address that was typed, or a mail program's": "none", "a browser that does not say": "",
	} {
		var headers []string
		if site != "" {
			headers = []string{"Sec-Fetch-Site", site}
		}
		require.Equal(t, http.StatusSeeOther, s.gateways[0].browser(t).get(t, "/auth/sign-in", headers...).StatusCode, name)
	}
}

func TestNoTrickLeadsAwayFromASignIn(t *testing.T) {
	t.Parallel()
	s, lying := start(t, 1, scaled(1e6)), start(t, 1, scaled(1e6))
	lying.op.With(func(b *issuer.Behaviour) { b.NoIDToken = true })
	b, refused := s.gateways[0].browser(t), lying.gateways[0].browser(t)
	for _, trick := range redirects.Tricks(s.gateways[0].host) {
		for _, encoded := range []string{url.QueryEscape(trick), url.QueryEscape(url.QueryEscape(trick))} {
			query := "?return_to=" + encoded
			require.Equal(t, "/", b.signIn(t, query).Header.Get("Location"), "%q in the same tab", trick)
			require.Equal(t, "/", b.signIn(t, query+"&popup=1").button(t), "%q in a popup", trick)
			require.Equal(t, "/auth/sign-in", b.get(t, "/auth/sign-in"+query, "Sec-Fetch-Site", "cross-site").button(t), "%q from another site", trick)
			require.Equal(t, "/auth/sign-in", refused.signIn(t, query).button(t), "%q where it did not work", trick)
		}
	}
}

// Whatever is asked for, as it stands in the request line, a redirect keeps to our own host.
func TestNoPathLeadsAwayFromTheProduct(t *testing.T) {
	t.Parallel()
	s := start(t, 1, scaled(1e6))
	base, err := url.Parse(s.gateways[0].URL)
	require.NoError(t, err)
	asked := 0
	for _, trick := range redirects.Tricks(base.Host) {
		if !strings.HasPrefix(trick, "/") || strings.ContainsAny(trick, "\t\n\r\x00 ") {
			continue // no request line holds it
		}
		asked++
		for _, target := range []string{trick, trick + "/", trick + "/..", "/journey" + trick, "/articles" + trick, "/articles/" + trick + "/", "/auth" + trick} {
			to, err := base.Parse(raw(t, base.Host, target))
			require.NoError(t, err, target)
			require.Equal(t, base.Host, to.Host, target)
		}
	}
	require.Greater(t, asked, 25)
}

// raw asks for a target as it is written, and gives where the answer leads.
func raw(t *testing.T, host, target string) string {
	t.Helper()
	conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", host)
	require.NoError(t, err)
	defer func() { _ = conn.Close() }()
	_, err = fmt.Fprintf(conn, "GET %s HTTP/1.1\r\nHost: %s\r\nAccept: text/html\r\nConnection: close\r\n\r\n", target, host)
	require.NoError(t, err)
	res, err := http.ReadResponse(bufio.NewReader(conn), nil)
	require.NoError(t, err, target)
	defer func() { _ = res.Body.Close() }()
	location := strings.ReplaceAll(res.Header.Get("Location"), `\`, "/") // as a browser reads it
	return location
}

// RFC 9700, 4.5: a stolen code is useless in the thief's attempt, since it is bound to the verifier and the nonce of the attempt that it
// was issued for.
func TestACodeOfAnotherAttemptSignsNobodyIn(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	begin := func(b *browser) *url.URL {
		back := b.get(t, b.get(t, "/auth/sign-in").Header.Get("Location")).Header.Get("Location")
		u, err := url.Parse(back)
		require.NoError(t, err)
		return u
	}
	victim, attacker := s.gateways[0].browser(t), s.gateways[0].browser(t)
	stolen, own := begin(victim), begin(attacker)
	query := own.Query()
	query.Set("code", stolen.Query().Get("code"))
	own.RawQuery = query.Encode()
	require.Equal(t, http.StatusForbidden, attacker.get(t, own.String()).StatusCode)
	require.Equal(t, http.StatusForbidden, victim.get(t, stolen.String()).StatusCode, "the code is used up")
	require.Zero(t, s.sessions())
}
