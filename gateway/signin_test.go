package gateway

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"serein.app/gateway/internal/session"
	"serein.app/services/testkit/cognitopool"
	"serein.app/services/testkit/issuer"
)

const getSession = "/serein.web.v1.SessionService/GetSession"

func TestAMemberSignsInInAPopup(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b := s.gateways[0].browser(t)
	done := b.signIn(t, "?popup=1&login_hint=ada&return_to=/journey")
	require.Equal(t, http.StatusOK, done.StatusCode)
	require.Contains(t, done.body, `src="/auth/signed.js"`)
	require.Contains(t, done.body, `href="/journey"`)
	require.Equal(t, "unsafe-none", done.Header.Get("Cross-Origin-Opener-Policy"), "else the popup could not close itself")

	script := b.get(t, "/auth/signed.js")
	require.Contains(t, script.body, "BroadcastChannel('serein-session')")
	require.Contains(t, script.body, "{ type: 'signed-in' }")

	asked := s.op.Asked()[0]
	require.Equal(t, "openid profile email phone offline_access", asked.Get("scope"))
	require.Equal(t, "S256", asked.Get("code_challenge_method"))
	require.Equal(t, "ada", asked.Get("login_hint"))
	require.Equal(t, s.gateways[0].URL+"/auth/callback", asked.Get("redirect_uri"))

	who := b.call(t, getSession, "{}")
	require.Contains(t, who.body, `"givenName":"Ada"`)
}

func TestAMemberSignsInAtTheHostedPageOfAnExternalPool(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	cognitopool.HostedSignIn(s.op, s.uid())
	b := s.gateways[0].browser(t)
	done := b.signIn(t, "?popup=1&return_to=/journey")
	require.Equal(t, http.StatusOK, done.StatusCode)
	require.Contains(t, done.body, `src="/auth/signed.js"`)
	require.Contains(t, b.call(t, getSession, "{}").body, `"givenName":"Ada"`)
}

func TestAMemberSignsInInTheSameTabAndReturnsToTheirPage(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b := s.gateways[0].browser(t)
	done := b.signIn(t, "?return_to="+url.QueryEscape("/journey?tab=bespoke"))
	require.Equal(t, http.StatusSeeOther, done.StatusCode)
	require.Equal(t, "/journey?tab=bespoke", done.Header.Get("Location"))
}

func TestSignInMakesANewIDAndEndsTheOldSession(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b := s.gateways[0].browser(t)
	planted := session.NewID()
	u, _ := url.Parse(b.base)
	b.Jar.SetCookies(u, []*http.Cookie{{Name: session.CookieName, Value: planted, Path: "/", Secure: true}})
	b.signIn(t, "")
	first := b.cookie(session.CookieName)
	require.NotEqual(t, planted, first, "a planted id is never taken over")

	b.signIn(t, "")
	second := b.cookie(session.CookieName)
	require.NotEqual(t, first, second)
	require.Equal(t, 1, s.sessions(), "the session before is gone")
	require.Len(t, s.op.Revoked(), 1)
	old := s.gateways[0].browser(t)
	old.Jar.SetCookies(u, []*http.Cookie{{Name: session.CookieName, Value: first, Path: "/", Secure: true}})
	require.NotContains(t, old.call(t, getSession, "{}").body, "Ada")
}

func TestNoTokenIsEverVisibleToTheBrowser(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b := s.gateways[0].browser(t)
	var seen strings.Builder
	look := func(a answer) answer {
		require.NoError(t, a.Header.Write(&seen))
		seen.WriteString(a.body)
		return a
	}
	begun := look(b.get(t, "/auth/sign-in"))
	back := b.get(t, begun.Header.Get("Location"))
	look(b.get(t, back.Header.Get("Location")))
	look(b.get(t, "/", "Accept", "text/html"))
	look(b.call(t, getSession, "{}"))
	look(b.call(t, "/serein.web.v1.SessionService/SignOut", "{}"))
	for _, secret := range []string{"access-", "refresh-", "eyJ", issuer.ClientSecret} {
		require.NotContains(t, seen.String(), secret)
	}
}

// The relying party's half of the OpenID basic plan, and the attacks of the threat list: each
// is refused, shows a plain page, and leaves no session.
func TestALyingProviderSignsNobodyIn(t *testing.T) {
	t.Parallel()
	claim := func(name string, value any) func(*issuer.Behaviour) {
		return func(b *issuer.Behaviour) { b.Claims = map[string]any{name: value} }
	}
	sign := func(f func(*issuer.Issuer, []byte) string) func(*issuer.Behaviour) {
		return func(b *issuer.Behaviour) { b.Sign = f }
	}
	now := time.Now()
	for name, lie := range map[string]func(*issuer.Behaviour){
		"nonce of another attempt":   func(b *issuer.Behaviour) { b.Nonce = "another" },
		"nonce missing":              claim("nonce", nil),
		"issuer of another provider": claim("iss", "https://evil.example"),
		"issuer missing":             claim("iss", nil),
		"audience of another client": claim("aud", "another-client"),
		"audience missing":           claim("aud", nil),
		"two audiences, another's party": func(b *issuer.Behaviour) {
			b.Claims = map[string]any{"aud": []string{issuer.ClientID, "x"}, "azp": "x"}
		},
		"two audiences, no party":            claim("aud", []string{issuer.ClientID, "x"}),
		"another's party":                    claim("azp", "x"),
		"subject missing":                    claim("sub", nil),
		"subject empty":                      claim("sub", ""),
		"issue time missing":                 claim("iat", nil),
		"issued in the far future":           claim("iat", now.Add(24*time.Hour).Unix()),
		"expired":                            claim("exp", now.Add(-time.Hour).Unix()),
		"expiry missing":                     claim("exp", nil),
		"not valid yet":                      claim("nbf", now.Add(time.Hour).Unix()),
		"hash of another access token":       claim("at_hash", "AAAAAAAAAAAAAAAAAAAAAA"),
		"no ID token":                        func(b *issuer.Behaviour) { b.NoIDToken = true },
		"algorithm none":                     sign(issuer.Unsigned),
		"HS256 with the public key":          sign(issuer.SignedWithPublicKey),
		"HS256 with the public key of ES256": sign(issuer.SignedWithPublicECKey),
		"RS256 that names the key of ES256":  sign(issuer.RS256NamingTheECKey),
		"ES256 that names the RSA key":       sign(issuer.ES256NamingTheRSAKey),
		"HS256 with the client secret":       sign(issuer.SignedWithClientSecret),
		"a key that is not the provider's":   sign(issuer.SignedByAnotherKey),
		"a key id that does not exist":       sign(issuer.SignedWithUnknownKeyID),
		"a changed payload":                  sign(issuer.Tampered),
		"garbage":                            sign(func(*issuer.Issuer, []byte) string { return "not.a.token" }),
		"state of another attempt":           func(b *issuer.Behaviour) { b.Answer = func(v url.Values) { v.Set("state", "another") } },
		"state missing":                      func(b *issuer.Behaviour) { b.Answer = func(v url.Values) { v.Del("state") } },
		"code missing":                       func(b *issuer.Behaviour) { b.Answer = func(v url.Values) { v.Del("code") } },
		"code of nobody":                     func(b *issuer.Behaviour) { b.Answer = func(v url.Values) { v.Set("code", "made-up") } },
		"answer of another provider":         func(b *issuer.Behaviour) { b.Answer = func(v url.Values) { v.Set("iss", "https://evil.example") } },
		"answer of no provider, where ours names itself (RFC 9207, 2.4)": func(b *issuer.Behaviour) { b.Answer = func(v url.Values) { v.Del("iss") } },
		"answer of our provider and of another":                          func(b *issuer.Behaviour) { b.Answer = func(v url.Values) { v.Add("iss", "https://evil.example") } },
		"an error":                                                       func(b *issuer.Behaviour) { b.Answer = func(v url.Values) { v.Set("error", "access_denied") } },
		"token endpoint broken":                                          func(b *issuer.Behaviour) { b.TokenStatus = http.StatusInternalServerError },
		"profile of somebody else": func(b *issuer.Behaviour) {
			b.Claims = map[string]any{"email": nil, "given_name": nil}
			b.UserInfo = map[string]any{"sub": "somebody-else", "email": "x@example.org"}
		},
		"profile of nobody": func(b *issuer.Behaviour) {
			b.Claims = map[string]any{"email": nil, "given_name": nil}
			b.UserInfo = map[string]any{"email": "x@example.org"}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := start(t, 1)
			s.op.With(lie)
			b := s.gateways[0].browser(t)
			refused := b.signIn(t, "?return_to=/journey")
			require.GreaterOrEqual(t, refused.StatusCode, 400)
			require.Contains(t, refused.body, "Not signed in")
			require.Contains(t, refused.body, `href="/auth/sign-in`)
			require.Empty(t, b.cookie(session.CookieName))
			require.Zero(t, s.sessions())
		})
	}
}

func TestHonestVariantsSignIn(t *testing.T) {
	t.Parallel()
	for name, with := range map[string]func(*issuer.Behaviour){
		"ES256":     func(b *issuer.Behaviour) { b.Sign = issuer.SignedWithES256 },
		"no key id": func(b *issuer.Behaviour) { b.Sign = issuer.SignedWithoutKeyID },
		"a provider that does not name itself in its answers": func(b *issuer.Behaviour) { b.Unnamed = true },
		"two audiences, our party": func(b *issuer.Behaviour) {
			b.Claims = map[string]any{"aud": []string{"x", issuer.ClientID}, "azp": issuer.ClientID}
		},
		"profile only at user info": func(b *issuer.Behaviour) {
			b.Claims = map[string]any{"email": nil, "given_name": nil}
			b.UserInfo = map[string]any{"sub": b.Subject, "given_name": "Ada", "email": "ada@example.org"}
		},
		"a clock half a minute fast": func(b *issuer.Behaviour) { b.Claims = map[string]any{"iat": time.Now().Add(30 * time.Second).Unix()} },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := start(t, 1)
			s.op.With(with)
			b := s.gateways[0].browser(t)
			b.signIn(t, "")
			require.Contains(t, b.call(t, getSession, "{}").body, `"givenName":"Ada"`)
		})
	}
}

func TestAnAttemptBelongsToOneBrowserAndWorksOnce(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	begin := func(b *browser) string {
		begun := b.get(t, "/auth/sign-in")
		return b.get(t, begun.Header.Get("Location")).Header.Get("Location")
	}
	victim, attacker := s.gateways[0].browser(t), s.gateways[0].browser(t)
	begin(victim)
	attackers := begin(attacker)

	swapped := victim.get(t, attackers)
	require.Equal(t, http.StatusBadRequest, swapped.StatusCode, "login CSRF: another browser's answer")
	require.Zero(t, s.sessions())

	require.Equal(t, http.StatusSeeOther, attacker.get(t, attackers).StatusCode)
	require.Equal(t, 1, s.sessions())
	first := attacker.cookie(session.CookieName)
	require.Equal(t, http.StatusSeeOther, attacker.get(t, attackers).StatusCode, "replayed: it leads on")
	require.Equal(t, first, attacker.cookie(session.CookieName), "and signs nobody in")
	require.Equal(t, 1, s.sessions())
	require.Equal(t, http.StatusOK, attacker.call(t, "/serein.web.v1.SessionService/SignOut", "{}").StatusCode)
	require.Equal(t, http.StatusBadRequest, attacker.get(t, attackers).StatusCode, "and nobody who has signed out")

	bare := s.gateways[0].browser(t)
	require.Equal(t, http.StatusBadRequest, bare.get(t, attackers).StatusCode, "no cookie")
}

// answered is the address of the gateway to which the provider sends the browser, for a sign-in begun with that query.
func (b *browser) answered(t *testing.T, query string) string {
	t.Helper()
	return b.get(t, b.get(t, "/auth/sign-in"+query).Header.Get("Location")).Header.Get("Location")
}

func TestSignInsBegunInTwoTabsEndEachOnItsPage(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	for name, order := range map[string][]string{"as they were begun": {"/journey", "/about"}, "the other way about": {"/about", "/journey"}} {
		b := s.gateways[0].browser(t)
		tabs := map[string]string{}
		for _, page := range []string{"/journey", "/about"} {
			tabs[page] = b.answered(t, "?return_to="+page)
		}
		for _, page := range order {
			done := b.get(t, tabs[page])
			require.Equal(t, http.StatusSeeOther, done.StatusCode, "%s: %s", name, done.body)
			require.Equal(t, page, done.Header.Get("Location"), name)
		}
	}
}

func TestWhoComesBackToAnAnswerThatWasTakenIsLedOn(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b := s.gateways[0].browser(t)
	tab, popup := b.answered(t, "?return_to=/journey"), b.answered(t, "?popup=1&return_to=/about")
	require.Equal(t, http.StatusSeeOther, b.get(t, tab).StatusCode)
	require.Equal(t, http.StatusOK, b.get(t, popup).StatusCode)
	signedIn := b.cookie(session.CookieName)
	for range 2 {
		again := b.get(t, tab)
		require.Equal(t, http.StatusSeeOther, again.StatusCode, again.body)
		require.Equal(t, "/journey", again.Header.Get("Location"))
		reloaded := b.get(t, popup)
		require.Equal(t, http.StatusOK, reloaded.StatusCode)
		require.Contains(t, reloaded.body, `src="/auth/signed.js"`)
	}
	require.Equal(t, "/", b.get(t, "/auth/callback?error=invalid_request&state=of-nothing-here").Header.Get("Location"))
	require.Equal(t, signedIn, b.cookie(session.CookieName))
	s.clock.Move(15*time.Minute + time.Second)
	require.Equal(t, http.StatusSeeOther, b.get(t, tab).StatusCode, "also when the attempt is forgotten")
}

func TestABrowserCarriesFewAttempts(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b := s.gateways[0].browser(t)
	var last string
	for range 20 {
		last = b.answered(t, "")
	}
	u, err := url.Parse(b.base)
	require.NoError(t, err)
	require.LessOrEqual(t, len(b.Jar.Cookies(u)), 8)
	require.Equal(t, http.StatusSeeOther, b.get(t, last).StatusCode)
}

func TestAnAttemptEndsAfterFifteenMinutes(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b := s.gateways[0].browser(t)
	begun := b.get(t, "/auth/sign-in")
	require.Contains(t, begun.Header.Get("Set-Cookie"), "Max-Age=900; HttpOnly; Secure; SameSite=Lax")
	back := b.get(t, begun.Header.Get("Location"))
	s.clock.Move(15*time.Minute + time.Second)
	late := b.get(t, back.Header.Get("Location"))
	require.Equal(t, http.StatusBadRequest, late.StatusCode)
	require.Contains(t, late.body, "SIGN_IN_STALE")
}

func TestTheGatewayStartsAndServesWhileTheProviderIsAway(t *testing.T) {
	t.Parallel()
	s := start(t, 1, func(c *Config, _ *settings) { c.Login.Issuer = "http://127.0.0.1:1" })
	b := s.gateways[0].browser(t)
	require.Equal(t, http.StatusOK, b.get(t, s.gateways[0].internal+"/readyz").StatusCode)
	require.Equal(t, http.StatusOK, b.get(t, "/", "Accept", "text/html").StatusCode)
	away := b.get(t, "/auth/sign-in?popup=1")
	require.Equal(t, http.StatusServiceUnavailable, away.StatusCode)
	require.Contains(t, away.body, `href="/auth/sign-in?popup=1"`)
	require.NotContains(t, away.body, "127.0.0.1:1", "no internals on a page")
}

func TestSignOutEndsEverythingAndOnlyByCall(t *testing.T) {
	t.Parallel()
	s := start(t, 2)
	b := s.gateways[0].browser(t)
	b.signIn(t, "")
	id := b.cookie(session.CookieName)
	elsewhere := s.gateways[1].browser(t)
	u, _ := url.Parse(elsewhere.base)
	elsewhere.Jar.SetCookies(u, []*http.Cookie{{Name: session.CookieName, Value: id, Path: "/", Secure: true}})
	require.Contains(t, elsewhere.call(t, getSession, "{}").body, "Ada")

	for _, forced := range []string{"/auth/sign-out", "/serein.web.v1.SessionService/SignOut", "/serein.web.v1.SessionService/SignOut?connect=v1&encoding=json&message=%7B%7D"} {
		require.NotEqual(t, http.StatusOK, b.get(t, forced).StatusCode, forced)
		require.NotEqual(t, http.StatusOK, b.get(t, forced, "X-Serein", "1").StatusCode, forced)
	}
	require.Equal(t, 1, s.sessions(), "a forced GET does nothing")

	out := b.call(t, "/serein.web.v1.SessionService/SignOut", "{}")
	require.Equal(t, http.StatusOK, out.StatusCode)
	require.Contains(t, out.body, s.op.URL+"/end?client_id=serein-gateway")
	require.Contains(t, out.body, "post_logout_redirect_uri="+url.QueryEscape(s.gateways[0].URL+"/"))
	require.Zero(t, s.sessions())
	require.Zero(t, s.op.LiveRefreshTokens(), "revoked at the provider")
	require.Empty(t, b.cookie(session.CookieName))
	require.Equal(t, `"cache"`, out.Header.Get("Clear-Site-Data"), "copies of recordings go; the theme stays")

	const list = "/serein.web.v1.JourneyService/ListBespoke"
	u0, _ := url.Parse(b.base)
	b.Jar.SetCookies(u0, []*http.Cookie{{Name: session.CookieName, Value: id, Path: "/", Secure: true}})
	require.Equal(t, http.StatusUnauthorized, b.call(t, list, "{}").StatusCode, "the old cookie, here, at once")
	s.clock.Move(time.Second)
	require.Equal(t, http.StatusUnauthorized, elsewhere.call(t, list, "{}").StatusCode, "elsewhere within a second")
}

func TestFiftyTabsAtExpiryMakeOneTokenRequest(t *testing.T) {
	t.Parallel()
	s := start(t, 2)
	b := s.gateways[0].browser(t)
	b.signIn(t, "")
	other := s.gateways[1].browser(t)
	u, _ := url.Parse(other.base)
	other.Jar.SetCookies(u, []*http.Cookie{{Name: session.CookieName, Value: b.cookie(session.CookieName), Path: "/", Secure: true}})
	s.clock.Move(5*time.Minute + time.Second)
	answers := make([]answer, 50)
	var tabs errgroup.Group
	for i := range answers {
		tabs.Go(func() (err error) {
			answers[i], err = []*browser{b, other}[i%2].tryCall(t.Context(), "/serein.web.v1.JourneyService/ListBespoke", "{}")
			return err
		})
	}
	require.NoError(t, tabs.Wait())
	for _, a := range answers {
		require.Equal(t, http.StatusOK, a.StatusCode)
	}
	_, renewals := s.op.TokenRequests()
	require.Equal(t, 1, renewals)
}

func TestARevokedMemberIsSignedOutAtRenewal(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b := s.gateways[0].browser(t)
	b.signIn(t, "")
	s.op.With(func(b *issuer.Behaviour) { b.TokenStatus, b.TokenError = http.StatusBadRequest, "invalid_grant" })
	s.clock.Move(5*time.Minute + time.Second)
	gone := b.call(t, "/serein.web.v1.JourneyService/ListBespoke", "{}")
	require.Equal(t, http.StatusUnauthorized, gone.StatusCode)
	require.Contains(t, gone.body, "SIGN_IN_REQUIRED")
	require.Zero(t, s.sessions())
}
