package identity_test

import (
	"net/http"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/oauth2"

	"serein.app/services/identity/internal/oidcop"
)

func TestACodeIsExchangedOnce(t *testing.T) {
	t.Parallel()
	b := setup(t).serve()
	b.member("amara")
	client := b.rp()
	code := func(t *testing.T) (string, string) {
		t.Helper()
		verifier := oauth2.GenerateVerifier()
		br := b.browser()
		answer := br.submit(br.open(client, verifier), "amara", goodPassword)
		require.Equal(t, http.StatusFound, answer.status)
		at := answer.location(t)
		require.Equal(t, "state-1", at.Query().Get("state"))
		return at.Query().Get("code"), verifier
	}

	t.Run("a replayed code is refused and ends what came of it", func(t *testing.T) {
		c, verifier := code(t)
		token, err := client.Exchange(client.ctx, c, oauth2.VerifierOption(verifier))
		require.NoError(t, err)
		_, err = client.Exchange(client.ctx, c, oauth2.VerifierOption(verifier))
		require.ErrorContains(t, err, "invalid_grant")
		_, err = client.refresh(token.RefreshToken)
		require.ErrorContains(t, err, "invalid_grant")
	})

	t.Run("of many exchanges at once at most one gives tokens", func(t *testing.T) {
		c, verifier := code(t)
		var given atomic.Int32
		var group sync.WaitGroup
		for range 8 {
			group.Go(func() {
				if _, err := client.Exchange(client.ctx, c, oauth2.VerifierOption(verifier)); err == nil {
					given.Add(1)
				}
			})
		}
		group.Wait()
		require.EqualValues(t, 1, given.Load())
	})

	t.Run("without its verifier, with another, at another client or redirect it is refused", func(t *testing.T) {
		c, verifier := code(t)
		_, err := client.Exchange(client.ctx, c)
		require.Error(t, err)
		_, err = client.Exchange(client.ctx, c, oauth2.VerifierOption(oauth2.GenerateVerifier()))
		require.ErrorContains(t, err, "invalid_grant")
		other := *client
		other.ClientID, other.ClientSecret = "other", serviceSecret
		_, err = other.Exchange(client.ctx, c, oauth2.VerifierOption(verifier))
		require.ErrorContains(t, err, "invalid_grant")
		_, err = client.Exchange(client.ctx, c, oauth2.VerifierOption(verifier), oauth2.SetAuthURLParam("redirect_uri", afterSignOut))
		require.Error(t, err)
		other = *client
		other.ClientSecret = strings.Repeat("x", 40)
		_, err = other.Exchange(client.ctx, c, oauth2.VerifierOption(verifier))
		require.ErrorContains(t, err, "invalid_client")
		_, err = client.Exchange(client.ctx, c, oauth2.VerifierOption(verifier))
		require.NoError(t, err, "and still good for who holds it all")
	})

	t.Run("a minute ends it", func(t *testing.T) {
		c, verifier := code(t)
		b.clock.Advance(oidcop.CodeLife)
		_, err := client.Exchange(client.ctx, c, oauth2.VerifierOption(verifier))
		require.ErrorContains(t, err, "invalid_grant")
	})
}

func TestAuthorizationRequestsThatAreRefused(t *testing.T) {
	t.Parallel()
	b := setup(t).serve()
	ask := func(t *testing.T, change func(url.Values)) page {
		t.Helper()
		v := authorization()
		change(v)
		return b.browser().get(b.server.URL + "/oauth/authorize?" + v.Encode())
	}
	require.Contains(t, ask(t, func(url.Values) {}).body, "Password", "the request itself is good")

	for name, change := range map[string]func(url.Values){
		"no redirect":               func(v url.Values) { v.Del("redirect_uri") },
		"another redirect":          func(v url.Values) { v.Set("redirect_uri", "https://evil.test/auth/callback") },
		"redirect with more path":   func(v url.Values) { v.Set("redirect_uri", redirectURI+"/more") },
		"redirect with a query":     func(v url.Values) { v.Set("redirect_uri", redirectURI+"?x=1") },
		"redirect in capitals":      func(v url.Values) { v.Set("redirect_uri", strings.ToUpper(redirectURI)) },
		"redirect encoded twice":    func(v url.Values) { v.Set("redirect_uri", url.QueryEscape(redirectURI)) },
		"another client's redirect": func(v url.Values) { v.Set("redirect_uri", "https://other.test/callback") },
		"unknown client":            func(v url.Values) { v.Set("client_id", "nobody") },
		"service account":           func(v url.Values) { v.Set("client_id", "reporter") },
		"its client twice":          func(v url.Values) { v.Add("client_id", "gateway") },
		"its redirect twice":        func(v url.Values) { v.Add("redirect_uri", redirectURI) },
	} {
		t.Run(name+" is refused without a redirect", func(t *testing.T) {
			p := ask(t, change)
			require.Equal(t, http.StatusBadRequest, p.status)
			require.Empty(t, p.header.Get("Location"))
			require.Contains(t, p.body, "That didn’t work")
			require.NotContains(t, p.body, "evil.test")
		})
	}
}

func TestRFC6749_4_1_2_1FaultsGoBackToTheClientByRedirect(t *testing.T) {
	t.Parallel()
	b := setup(t).serve()
	for name, c := range map[string]struct {
		code   string
		change func(url.Values)
	}{
		"no PKCE":          {"invalid_request", func(v url.Values) { v.Del("code_challenge"); v.Del("code_challenge_method") }},
		"plain PKCE":       {"invalid_request", func(v url.Values) { v.Set("code_challenge_method", "plain") }},
		"no response type": {"invalid_request", func(v url.Values) { v.Del("response_type") }},
		"implicit":         {"unsupported_response_type", func(v url.Values) { v.Set("response_type", "token") }},
		"hybrid":           {"unsupported_response_type", func(v url.Values) { v.Set("response_type", "code id_token") }},
		"an invented type": {"unsupported_response_type", func(v url.Values) { v.Set("response_type", "tea") }},
		"form_post":        {"invalid_request", func(v url.Values) { v.Set("response_mode", "form_post") }},
		"no openid":        {"invalid_scope", func(v url.Values) { v.Set("scope", "profile") }},
		"request object":   {"request_not_supported", func(v url.Values) { v.Set("request", "eyJhbGciOiJub25lIn0.e30.") }},
		"request address":  {"request_uri_not_supported", func(v url.Values) { v.Set("request_uri", "https://evil.test/") }},
		"endless nonce":    {"invalid_request", func(v url.Values) { v.Set("nonce", strings.Repeat("n", 3000)) }},
		"much of everything": {"invalid_request", func(v url.Values) {
			v.Set("nonce", strings.Repeat("<", 2000))
			v.Set("login_hint", strings.Repeat("<", 2000))
		}},
		"a nonce that is no text":  {"invalid_request", func(v url.Values) { v.Set("nonce", "a\x00b") }},
		"an age that is no number": {"invalid_request", func(v url.Values) { v.Set("max_age", "soon") }},
		"an age below nought":      {"invalid_request", func(v url.Values) { v.Set("max_age", "-1") }},
		"a scope twice":            {"invalid_request", func(v url.Values) { v.Add("scope", "openid") }},
		"an invented prompt":       {"invalid_request", func(v url.Values) { v.Set("prompt", "dance") }},
		"an endless prompt":        {"invalid_request", func(v url.Values) { v.Set("prompt", "login"+strings.Repeat("x", 20_000)) }},
		"no prompt and another":    {"invalid_request", func(v url.Values) { v.Set("prompt", "none login") }},
		"somebody's broken hint":   {"login_required", func(v url.Values) { v.Set("id_token_hint", "e30.e30.e30") }},
	} {
		t.Run(name, func(t *testing.T) {
			v := authorization()
			c.change(v)
			p := b.browser().post("/oauth/authorize", v)
			require.Equal(t, http.StatusFound, p.status, p.body)
			at := p.location(t)
			require.True(t, strings.HasPrefix(at.String(), redirectURI+"?"))
			require.Equal(t, c.code, at.Query().Get("error"))
			require.Equal(t, "s", at.Query().Get("state"))
			require.Equal(t, b.server.URL, at.Query().Get("iss"))
			require.False(t, at.Query().Has("code"))
		})
	}

	t.Run("a state that is there twice is nobody's", func(t *testing.T) {
		v := authorization()
		v.Add("state", "t")
		at := b.browser().post("/oauth/authorize", v).location(t)
		require.Equal(t, "invalid_request", at.Query().Get("error"))
		require.False(t, at.Query().Has("state"))
	})
}

func TestTheFourPromptsAreTaken(t *testing.T) {
	t.Parallel()
	b := setup(t).serve()
	for _, prompt := range []string{"login", "consent", "select_account", "login consent select_account", "login login login login login"} {
		v := authorization()
		v.Set("prompt", prompt)
		require.Contains(t, b.browser().post("/oauth/authorize", v).body, "Password", prompt)
	}
}

func TestRFC9207EveryAnswerNamesItsIssuer(t *testing.T) {
	t.Parallel()
	b := setup(t).serve()
	b.member("amara")
	client, br := b.rp(), b.browser()
	var metadata struct {
		Issuer    string `json:"issuer"`
		Supported bool   `json:"authorization_response_iss_parameter_supported"`
	}
	require.NoError(t, client.provider.Claims(&metadata))
	require.True(t, metadata.Supported)
	answer := br.submit(br.open(client, oauth2.GenerateVerifier()), "amara", goodPassword)
	require.NotEmpty(t, answer.location(t).Query().Get("code"))
	require.Equal(t, metadata.Issuer, answer.location(t).Query().Get("iss"))
	refused := b.browser().open(client, oauth2.GenerateVerifier(), oauth2.SetAuthURLParam("prompt", "none"))
	require.Equal(t, "login_required", refused.location(t).Query().Get("error"))
	require.Equal(t, metadata.Issuer, refused.location(t).Query().Get("iss"))
}

func TestAskingForASignInWritesNoRow(t *testing.T) {
	t.Parallel()
	b := setup(t).serve()
	b.member("amara")
	client, br := b.rp(), b.browser()
	var last page
	for range 50 {
		last = br.open(client, oauth2.GenerateVerifier(), oauth2.SetAuthURLParam("login_hint", strings.Repeat("x", 2000)))
		require.Contains(t, last.body, "Password")
	}
	br.submit(last, "amara", "a wrong guess")
	require.Zero(t, b.count(`SELECT count(*) FROM auth_requests`))
	require.Equal(t, http.StatusFound, br.submit(last, "amara", goodPassword).status)
	require.Equal(t, 1, b.count(`SELECT count(*) FROM auth_requests`), "signing in does")
	require.Equal(t, http.StatusFound, br.submit(last, "amara", goodPassword).status)
	require.Equal(t, 1, b.count(`SELECT count(*) FROM auth_requests`), "and once")
}

func TestAFormThatWasSentTwiceSignsInAndBackLeadsOn(t *testing.T) {
	t.Parallel()
	b := setup(t).serve()
	b.member("amara")
	b.member("bela")
	client, br, verifier := b.rp(), b.browser(), oauth2.GenerateVerifier()
	start := br.open(client, verifier)
	first := br.submit(start, "amara", goodPassword).location(t).Query().Get("code")
	second := br.submit(start, "amara", goodPassword).location(t).Query().Get("code")
	require.NotEqual(t, first, second)
	_, err := client.Exchange(client.ctx, first, oauth2.VerifierOption(verifier))
	require.ErrorContains(t, err, "invalid_grant", "one code a request")
	_, err = client.Exchange(client.ctx, second, oauth2.VerifierOption(verifier))
	require.NoError(t, err)

	for name, back := range map[string]page{"Back": br.get(start.at.String()), "the form once more": br.submit(start, "amara", goodPassword), "as somebody else": br.submit(start, "bela", goodPassword)} {
		to := back.location(t)
		require.True(t, strings.HasPrefix(to.String(), client.RedirectURL), name)
		require.Equal(t, "invalid_request", to.Query().Get("error"), name)
		require.NotEmpty(t, to.Query().Get("state"), name)
		require.Empty(t, to.Query().Get("code"), name)
	}
}

func TestARequestThatABrowserCarriesCannotBeChangedOrKept(t *testing.T) {
	t.Parallel()
	b := setup(t).serve()
	client, br := b.rp(), b.browser()
	p := br.open(client, oauth2.GenerateVerifier())
	sealed := p.fields().Get("request")
	require.NotContains(t, sealed, "gateway")
	for at := range len(sealed) {
		bent := []byte(sealed)
		bent[at] = map[bool]byte{true: 'A', false: 'B'}[bent[at] != 'A']
		if string(bent) == sealed {
			continue
		}
		if at == len(sealed)-1 {
			continue // its last bits may stand for nothing
		}
		b.clock.Advance(250 * time.Millisecond) // as fast as one address may
		require.Contains(t, br.get(b.server.URL+"/sign-in?request="+string(bent)).body, "Please start again")
	}
	for _, odd := range []string{"", "%", sealed + "A", "AAAA", newID().String()} {
		require.Contains(t, br.get(b.server.URL+"/sign-in?request="+url.QueryEscape(odd)).body, "Please start again")
	}
	require.Contains(t, b.browser().get(b.server.URL+"/sign-in?request="+sealed).body, "Please start again", "in another browser")
	b.clock.Advance(oidcop.OwnRequestLife)
	require.Contains(t, br.get(b.server.URL+"/sign-in?request="+sealed).body, "Please start again", "before the gateway forgets its sign-in")
}

// authorization is a request that is good.
func authorization() url.Values {
	return url.Values{
		"client_id": {"gateway"}, "redirect_uri": {redirectURI}, "response_type": {"code"}, "scope": {"openid"}, "state": {"s"},
		"code_challenge": {oauth2.S256ChallengeFromVerifier(oauth2.GenerateVerifier())}, "code_challenge_method": {"S256"},
	}
}
