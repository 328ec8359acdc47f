package identity_test

import (
	"net/http"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

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
	good := url.Values{
		"client_id": {"gateway"}, "redirect_uri": {redirectURI}, "response_type": {"code"}, "scope": {"openid"}, "state": {"s"},
		"code_challenge": {oauth2.S256ChallengeFromVerifier(oauth2.GenerateVerifier())}, "code_challenge_method": {"S256"},
	}
	ask := func(t *testing.T, change func(url.Values)) page {
		t.Helper()
		v := url.Values{}
		for name, values := range good {
			v[name] = append([]string{}, values...)
		}
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
		"a parameter twice":         func(v url.Values) { v.Add("state", "t") },
	} {
		t.Run(name+" is refused without a redirect", func(t *testing.T) {
			p := ask(t, change)
			require.Equal(t, http.StatusBadRequest, p.status)
			require.Empty(t, p.header.Get("Location"))
			require.Contains(t, p.body, "That did not work")
			require.NotContains(t, p.body, "evil.test")
		})
	}
	for name, change := range map[string]func(url.Values){
		"no PKCE":        func(v url.Values) { v.Del("code_challenge"); v.Del("code_challenge_method") },
		"plain PKCE":     func(v url.Values) { v.Set("code_challenge_method", "plain") },
		"implicit":       func(v url.Values) { v.Set("response_type", "token") },
		"hybrid":         func(v url.Values) { v.Set("response_type", "code id_token") },
		"form_post":      func(v url.Values) { v.Set("response_mode", "form_post") },
		"no openid":      func(v url.Values) { v.Set("scope", "profile") },
		"request object": func(v url.Values) { v.Set("request", "eyJhbGciOiJub25lIn0.e30.") },
		"endless nonce":  func(v url.Values) { v.Set("nonce", strings.Repeat("n", 3000)) },
	} {
		t.Run(name+" is refused at the client's redirect", func(t *testing.T) {
			p := ask(t, change)
			require.Equal(t, http.StatusFound, p.status, p.body)
			at := p.location(t)
			require.True(t, strings.HasPrefix(at.String(), redirectURI))
			require.NotEmpty(t, at.Query().Get("error")+at.Fragment)
			require.Empty(t, at.Query().Get("code"))
		})
	}
}
