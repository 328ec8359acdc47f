package identity_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"sync/atomic"
	"testing"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	jose "github.com/go-jose/go-jose/v4"
	"github.com/stretchr/testify/require"
	"golang.org/x/oauth2"

	"serein.app/services/identity/internal/account"
	"serein.app/services/testkit"
)

// informed is a client's own server, which hears of ended sessions.
type informed struct {
	*httptest.Server
	heard  chan *http.Request
	status atomic.Int32
}

func hears(t *testing.T) *informed {
	t.Helper()
	i := &informed{heard: make(chan *http.Request, 64)}
	i.status.Store(http.StatusOK)
	i.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_ = r.ParseForm()
		status := int(i.status.Load())
		i.heard <- r
		if status >= 300 && status < 400 {
			w.Header().Set("Location", "/elsewhere")
		}
		w.WriteHeader(status)
	}))
	t.Cleanup(i.Close)
	return i
}

func (i *informed) next(t *testing.T) *http.Request {
	t.Helper()
	select {
	case r := <-i.heard:
		return r
	case <-time.After(testkit.Patience):
		t.Fatal("the client heard nothing")
		return nil
	}
}

func (b *harness) signOut(br *browser) {
	b.t.Helper()
	p := br.get(b.server.URL + "/oauth/end-session?client_id=gateway&post_logout_redirect_uri=" + url.QueryEscape(afterSignOut))
	require.Equal(b.t, afterSignOut, p.header.Get("Location"), p.body)
}

// logoutToken is one that is proved as the specification asks a client to (Back-Channel Logout 1.0, 2.6).
func (b *harness) logoutToken(clientID string, r *http.Request) map[string]any {
	b.t.Helper()
	require.Equal(b.t, http.MethodPost, r.Method)
	require.Equal(b.t, "application/x-www-form-urlencoded", r.Header.Get("Content-Type"))
	require.Empty(b.t, r.URL.RawQuery, "a token is in no address")
	raw := r.PostForm.Get("logout_token")
	signed, err := jose.ParseSignedCompact(raw, []jose.SignatureAlgorithm{jose.RS256, jose.ES256})
	require.NoError(b.t, err)
	require.Equal(b.t, "logout+jwt", signed.Signatures[0].Protected.ExtraHeaders[jose.HeaderType])
	verifier := b.rp().provider.Verifier(&oidc.Config{ClientID: clientID, Now: b.clock.Now})
	token, err := verifier.Verify(oidc.ClientContext(b.t.Context(), b.server.Client()), raw)
	require.NoError(b.t, err)
	claims := map[string]any{}
	require.NoError(b.t, token.Claims(&claims))
	return claims
}

func TestClientsAreToldOfASessionThatEndedWithATokenAsTheSpecificationAsks(t *testing.T) {
	t.Parallel()
	b, gateway, pocket, other := setup(t).serve(), hears(t), hears(t), hears(t)
	b.serveWith(func(c []clientConfig) {
		c[0].BackChannelLogoutURI, c[1].BackChannelLogoutURI, c[4].BackChannelLogoutURI = gateway.URL, other.URL, pocket.URL
	})
	a := b.member("amara")
	client, br := b.rp(), b.browser()
	first := client.verify(t, br.signIn(client, "amara"))
	consent := br.open(b.pocket(), "a-verifier-that-is-long-enough-for-pkce-s256")
	require.Equal(t, "/sign-in/consent", consent.at.Path)
	elsewhere := b.browser()
	elsewhere.signIn(client, "amara")
	b.signOut(br)
	claims := b.logoutToken("gateway", gateway.next(t))
	require.Equal(t, map[string]any{"http://schemas.openid.net/event/backchannel-logout": map[string]any{}}, claims["events"])
	require.Equal(t, []any{a.UID.String(), first.SID, b.server.URL}, []any{claims["sub"], claims["sid"], claims["iss"]})
	require.NotEmpty(t, claims["jti"])
	require.NotContains(t, claims, "nonce", "2.4: with one it could pass for an ID token")
	issued, _ := claims["iat"].(float64)
	expires, _ := claims["exp"].(float64)
	require.LessOrEqual(t, expires-issued, 120.0)
	b.signOut(br) // of nobody
	b.signOut(elsewhere)
	require.NotEqual(t, first.SID, b.logoutToken("gateway", gateway.next(t))["sid"], "each session by itself, once")
	require.Empty(t, other.heard, "who took no part in the session is not told")
	require.Empty(t, pocket.heard, "nor who got nothing of it")
}

func TestClientsAreToldOfEverySessionThatANewPasswordEnds(t *testing.T) {
	t.Parallel()
	b, gateway := setup(t).serve(), hears(t)
	b.serveWith(func(c []clientConfig) { c[0].BackChannelLogoutURI = gateway.URL })
	a, client := b.member("amara"), b.rp()
	b.browser().signIn(client, "amara")
	here := b.sid(a.UID)
	elsewhere := client.verify(t, b.browser().signIn(client, "amara"))
	m := account.Signed{UID: a.UID.String(), SID: here.String()}
	require.NoError(t, b.accounts.ChangePassword(t.Context(), m, goodPassword, otherPassword))
	require.Equal(t, elsewhere.SID, b.logoutToken("gateway", gateway.next(t))["sid"])
	require.Equal(t, 1, b.count("SELECT count(*) FROM river_job WHERE kind = 'identity.logout_notice'"), "and not of the one that goes on")
}

func TestAClientThatDoesNotAnswerIsToldAgainAndKeepsNobodyWaiting(t *testing.T) {
	t.Parallel()
	for name, status := range map[string]int{"a fault": http.StatusInternalServerError, "a refusal": http.StatusBadRequest, "elsewhere": http.StatusFound} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b, gateway := setup(t).serve(), hears(t)
			b.serveWith(func(c []clientConfig) { c[0].BackChannelLogoutURI = gateway.URL })
			b.member("amara")
			gateway.status.Store(int32(status))
			br := b.browser()
			br.signIn(b.rp(), "amara")
			b.signOut(br)
			first := b.logoutToken("gateway", gateway.next(t))
			gateway.status.Store(http.StatusNoContent)
			second := gateway.next(t)
			require.Equal(t, "/", second.URL.Path, "where it sends the caller on to nobody goes")
			again := b.logoutToken("gateway", second)
			require.Equal(t, first["sid"], again["sid"])
			require.NotEqual(t, first["jti"], again["jti"], "2.4: each token has its own")
			require.Eventually(t, func() bool {
				return b.count("SELECT count(*) FROM river_job WHERE kind = 'identity.logout_notice' AND state = 'completed'") == 1
			}, testkit.Patience, 20*time.Millisecond)
			require.Equal(t, 8, b.count("SELECT max_attempts FROM river_job WHERE kind = 'identity.logout_notice'"), "and for ever nobody")
		})
	}
}

func TestAClientThatWantsToHearNothingAnyMoreIsToldNothing(t *testing.T) {
	t.Parallel()
	b, gateway := setup(t).serve(), hears(t)
	b.serveWith(func(c []clientConfig) { c[0].BackChannelLogoutURI = gateway.URL })
	a := b.member("amara")
	b.serveWith(func([]clientConfig) {})
	require.NoError(t, b.notices.Tell(t.Context(), "gateway", a.UID, newID()))
	require.NoError(t, b.notices.Tell(t.Context(), "nobody", a.UID, newID()))
	require.Empty(t, gateway.heard)
}

func TestSigningInAgainKeepsTheSessionAndSigningInAsSomebodyElseEndsIt(t *testing.T) {
	t.Parallel()
	b, gateway := setup(t).serve(), hears(t)
	b.serveWith(func(c []clientConfig) { c[0].BackChannelLogoutURI = gateway.URL })
	b.member("amara")
	nils := b.member("nils")
	client, br := b.rp(), b.browser()
	again := func(login string) (*oauth2.Token, idClaims) {
		verifier := oauth2.GenerateVerifier()
		answer := br.submit(br.open(client, verifier, oauth2.SetAuthURLParam("prompt", "login")), login, goodPassword)
		token, err := client.Exchange(client.ctx, answer.location(t).Query().Get("code"), oauth2.VerifierOption(verifier))
		require.NoError(t, err)
		return token, client.verify(t, token)
	}
	base, err := url.Parse(b.server.URL)
	require.NoError(t, err)
	first, one := again("amara")
	before := br.Jar.Cookies(base)
	b.clock.Advance(time.Second)
	_, two := again("amara")
	require.Equal(t, one.SID, two.SID, "the same session, and its clients stay signed in")
	require.Greater(t, two.AuthTime, one.AuthTime)
	_, err = client.userinfo(first)
	require.NoError(t, err)
	old := b.browser()
	old.Jar.SetCookies(base, before)
	require.Contains(t, old.open(client, oauth2.GenerateVerifier()).body, "Password", "the cookie before it opens nothing any more")
	require.Empty(t, gateway.heard)

	_, others := again("nils")
	require.Equal(t, nils.UID.String(), others.Subject)
	require.NotEqual(t, one.SID, others.SID)
	require.Equal(t, one.SID, b.logoutToken("gateway", gateway.next(t))["sid"], "who sat here before is signed out")
	_, err = client.userinfo(first)
	require.Error(t, err)
}
