package identity_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"github.com/stretchr/testify/require"
	"golang.org/x/oauth2"
	"golang.org/x/oauth2/clientcredentials"

	"serein.app/services/identity/internal/keys"
	"serein.app/services/identity/internal/oidcop"
	"serein.app/services/platform/auth"
	"serein.app/services/testkit"
)

type idClaims struct {
	Subject           string `json:"sub"`
	Email             string `json:"email"`
	EmailVerified     bool   `json:"email_verified"`
	GivenName         string `json:"given_name"`
	FamilyName        string `json:"family_name"`
	PreferredUsername string `json:"preferred_username"`
	Nonce             string `json:"nonce"`
	AuthTime          int64  `json:"auth_time"`
	SID               string `json:"sid"`
}

func (r *rp) verify(t *testing.T, token *oauth2.Token) idClaims {
	t.Helper()
	raw, ok := token.Extra("id_token").(string)
	require.True(t, ok, "an ID token")
	proved, err := r.provider.Verifier(&oidc.Config{ClientID: "gateway"}).Verify(r.ctx, raw)
	require.NoError(t, err)
	require.NoError(t, proved.VerifyAccessToken(token.AccessToken))
	var c idClaims
	require.NoError(t, proved.Claims(&c))
	return c
}

func (r *rp) refresh(token string) (*oauth2.Token, error) {
	return r.TokenSource(r.ctx, &oauth2.Token{RefreshToken: token}).Token()
}

func (r *rp) userinfo(token *oauth2.Token) (*oidc.UserInfo, error) {
	return r.provider.UserInfo(r.ctx, oauth2.StaticTokenSource(token))
}

func TestSignInGivesTokensThatSayWho(t *testing.T) {
	t.Parallel()
	b := setup(t).serve()
	a := b.member("amara")
	client := b.rp()
	token := b.browser().signIn(client, "AMARA@example.org")
	c := client.verify(t, token)
	require.Equal(t, idClaims{
		Subject: a.UID.String(), Email: "amara@example.org", EmailVerified: true, GivenName: "Amara", FamilyName: "Lindqvist",
		PreferredUsername: "amara", Nonce: "n-1", AuthTime: c.AuthTime, SID: c.SID,
	}, c)
	require.NotEmpty(t, c.SID)
	require.InDelta(t, b.clock.Now().Unix(), c.AuthTime, 60)
	info, err := client.userinfo(token)
	require.NoError(t, err)
	require.Equal(t, a.UID.String(), info.Subject)
	require.WithinDuration(t, time.Now().Add(oidcop.TokenLife), token.Expiry, time.Minute)

	// A member's access token is no service account's.
	verifier, err := auth.NewVerifier("billing", withIssuer(t, b.server.URL))
	require.NoError(t, err)
	_, err = verifier.Verify(client.ctx, "Bearer "+token.AccessToken)
	require.ErrorIs(t, err, auth.ErrUnauthenticated)
}

func withIssuer(t *testing.T, issuer string) auth.Config {
	t.Helper()
	cfg := testkit.Auth(t, "billing")
	cfg.Issuer = issuer
	return cfg
}

func TestARefreshTokenIsUsedOnce(t *testing.T) {
	t.Parallel()
	start := func(t *testing.T) (*bundle, *rp, *oauth2.Token) {
		t.Helper()
		b := setup(t).serve()
		b.member("amara")
		client := b.rp()
		return b, client, b.browser().signIn(client, "amara")
	}

	t.Run("it rotates and keeps subject and session", func(t *testing.T) {
		t.Parallel()
		_, client, first := start(t)
		before := client.verify(t, first)
		second, err := client.refresh(first.RefreshToken)
		require.NoError(t, err)
		require.NotEqual(t, first.RefreshToken, second.RefreshToken)
		after := client.verify(t, second)
		require.Equal(t, before.SID, after.SID)
		require.Equal(t, before.AuthTime, after.AuthTime)
		require.Equal(t, before.Subject, after.Subject)
	})

	t.Run("using it again ends the whole family", func(t *testing.T) {
		t.Parallel()
		b, client, first := start(t)
		second, err := client.refresh(first.RefreshToken)
		require.NoError(t, err)
		b.clock.Advance(oidcop.RefreshGrace + time.Second)
		_, err = client.refresh(first.RefreshToken)
		require.ErrorContains(t, err, "invalid_grant")
		_, err = client.refresh(second.RefreshToken)
		require.ErrorContains(t, err, "invalid_grant")
		_, err = client.userinfo(second)
		require.Error(t, err)
	})

	t.Run("a lost answer can be asked for again at once, and only then", func(t *testing.T) {
		t.Parallel()
		_, client, first := start(t)
		lost, err := client.refresh(first.RefreshToken)
		require.NoError(t, err)
		again, err := client.refresh(first.RefreshToken)
		require.NoError(t, err, "the successor was never used")
		_, err = client.refresh(lost.RefreshToken)
		require.ErrorContains(t, err, "invalid_grant", "who holds the lost one is not the client")
		_, err = client.refresh(again.RefreshToken)
		require.ErrorContains(t, err, "invalid_grant", "and the family is over")
	})

	t.Run("once its successor was used, the old one ends the family even at once", func(t *testing.T) {
		t.Parallel()
		_, client, first := start(t)
		second, err := client.refresh(first.RefreshToken)
		require.NoError(t, err)
		third, err := client.refresh(second.RefreshToken)
		require.NoError(t, err)
		_, err = client.refresh(first.RefreshToken)
		require.ErrorContains(t, err, "invalid_grant")
		_, err = client.refresh(third.RefreshToken)
		require.ErrorContains(t, err, "invalid_grant")
	})

	t.Run("another client's secret does not help", func(t *testing.T) {
		t.Parallel()
		_, client, first := start(t)
		thief := *client
		thief.ClientID, thief.ClientSecret = "other", serviceSecret
		_, err := thief.refresh(first.RefreshToken)
		require.ErrorContains(t, err, "invalid_grant")
		_, err = client.refresh(first.RefreshToken)
		require.NoError(t, err)
	})

	t.Run("a month unused ends it", func(t *testing.T) {
		t.Parallel()
		b, client, first := start(t)
		b.clock.Advance(oidcop.RefreshLife)
		_, err := client.refresh(first.RefreshToken)
		require.ErrorContains(t, err, "invalid_grant")
	})

	t.Run("revocation ends it and its access token", func(t *testing.T) {
		t.Parallel()
		b, client, first := start(t)
		res := b.clientPost("/oauth/revoke", "gateway", gatewaySecret, url.Values{"token": {first.RefreshToken}})
		require.Equal(t, http.StatusOK, res.status)
		_, err := client.refresh(first.RefreshToken)
		require.ErrorContains(t, err, "invalid_grant")
		_, err = client.userinfo(first)
		require.Error(t, err)
		res = b.clientPost("/oauth/revoke", "gateway", "wrong", url.Values{"token": {"x"}})
		require.Equal(t, http.StatusUnauthorized, res.status)
		res = b.clientPost("/oauth/revoke", "gateway", gatewaySecret, url.Values{"token": {"unknown"}})
		require.Equal(t, http.StatusOK, res.status)
	})
}

func (b *bundle) clientPost(path, id, secret string, form url.Values) page {
	b.t.Helper()
	req, err := http.NewRequestWithContext(b.t.Context(), http.MethodPost, b.server.URL+path, strings.NewReader(form.Encode()))
	require.NoError(b.t, err)
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	if id != "" {
		req.SetBasicAuth(url.QueryEscape(id), url.QueryEscape(secret))
	}
	res, err := b.server.Client().Do(req)
	require.NoError(b.t, err)
	defer func() { _ = res.Body.Close() }()
	body, err := io.ReadAll(res.Body)
	require.NoError(b.t, err)
	return page{status: res.StatusCode, header: res.Header, body: string(body)}
}

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

func TestServiceAccounts(t *testing.T) {
	t.Parallel()
	b := setup(t).serve()
	client := b.rp()
	account := func(scopes ...string) clientcredentials.Config {
		return clientcredentials.Config{ClientID: "reporter", ClientSecret: serviceSecret, TokenURL: client.Endpoint.TokenURL, Scopes: scopes}
	}

	t.Run("a service accepts the token for the scopes that were given", func(t *testing.T) {
		t.Parallel()
		cfg := account("billing.ledger.read")
		token, err := cfg.Token(client.ctx)
		require.NoError(t, err)
		verifier, err := auth.NewVerifier("billing", withIssuer(t, b.server.URL))
		require.NoError(t, err)
		caller, err := verifier.Verify(client.ctx, "Bearer "+token.AccessToken)
		require.NoError(t, err)
		require.Equal(t, auth.Caller{Service: "client:reporter", Scopes: []string{"billing.ledger.read"}}, caller)
		require.Empty(t, token.RefreshToken)
		require.Nil(t, token.Extra("id_token"))
	})

	t.Run("no scope asked for is every scope it has", func(t *testing.T) {
		t.Parallel()
		cfg := account()
		token, err := cfg.Token(client.ctx)
		require.NoError(t, err)
		require.Equal(t, "billing.ledger.read billing.plans.read", token.Extra("scope"))
	})

	for name, cfg := range map[string]clientcredentials.Config{
		"a scope it was not given": account("billing.ledger.write"),
		"openid":                   account("openid"),
		"a web client":             {ClientID: "gateway", ClientSecret: gatewaySecret, TokenURL: client.Endpoint.TokenURL},
		"a wrong secret":           {ClientID: "reporter", ClientSecret: gatewaySecret, TokenURL: client.Endpoint.TokenURL},
		"nobody":                   {ClientID: "nobody", ClientSecret: gatewaySecret, TokenURL: client.Endpoint.TokenURL},
	} {
		t.Run(name+" is refused", func(t *testing.T) {
			t.Parallel()
			_, err := cfg.Token(client.ctx)
			require.Error(t, err)
		})
	}

	t.Run("grants that are not offered are refused, whatever the form", func(t *testing.T) {
		t.Parallel()
		for _, form := range []url.Values{
			{},
			{"grant_type": {"password"}, "username": {"amara"}, "password": {goodPassword}},
			{"grant_type": {"urn:ietf:params:oauth:grant-type:token-exchange"}},
			{"grant_type": {"urn:ietf:params:oauth:grant-type:jwt-bearer"}, "assertion": {"x"}},
			{"grant_type": {"authorization_code"}, "client_assertion": {"x"}, "client_assertion_type": {"y"}},
			{"grant_type": {"authorization_code", "refresh_token"}},
			{"grant_type": {"authorization_code"}},
			{"grant_type": {"refresh_token"}},
			{"grant_type": {"client_credentials"}},
		} {
			p := b.clientPost("/oauth/token", "", "", form)
			require.Contains(t, []int{http.StatusBadRequest, http.StatusUnauthorized}, p.status, form)
			require.Contains(t, p.body, `"error"`)
		}
		large := b.clientPost("/oauth/token", "gateway", gatewaySecret, url.Values{"code": {strings.Repeat("x", 100_000)}})
		require.Equal(t, http.StatusBadRequest, large.status)
	})
}

func TestOldTokensOutliveAKeyRotation(t *testing.T) {
	t.Parallel()
	b := setup(t).serve()
	b.member("amara")
	client := b.rp()
	old := b.browser().signIn(client, "amara")
	require.NoError(t, b.ring.Rotate(t.Context()))
	require.Equal(t, 1, b.count(`SELECT count(*) FROM signing_keys`), "a young key stays")

	b.clock.Advance(keys.Age)
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() { _ = b.ring.Rotate(t.Context()) })
	}
	group.Wait()
	require.Equal(t, 2, b.count(`SELECT count(*) FROM signing_keys`), "replicas make one key")
	fresh := b.browser().signIn(client, "amara")
	require.NotEqual(t, keyOf(t, old), keyOf(t, fresh))
	again := b.rp()
	again.verify(t, old)
	again.verify(t, fresh)
	_, err := again.userinfo(old)
	require.NoError(t, err)

	b.clock.Advance(keys.Published)
	_, err = b.store.Clean(t.Context(), b.clock.Now())
	require.NoError(t, err)
	require.Equal(t, 1, b.count(`SELECT count(*) FROM signing_keys`))
}

// keyOf is the key id in a token's header.
func keyOf(t *testing.T, token *oauth2.Token) string {
	t.Helper()
	header, _, _ := strings.Cut(token.AccessToken, ".")
	var h struct {
		KeyID string `json:"kid"`
	}
	raw, err := base64URL(header)
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(raw, &h))
	return h.KeyID
}

func TestSigningKeysAreSealed(t *testing.T) {
	t.Parallel()
	b := setup(t).serve()
	require.Zero(t, b.count(`SELECT count(*) FROM signing_keys WHERE encode(sealed, 'escape') LIKE '%RSA%' OR length(sealed) < 1000`))
	other, err := keys.New(b.store, "another-secret-0123456789-0123456789", b.clock.Now)
	require.NoError(t, err)
	_, err = other.Signing(t.Context())
	require.ErrorContains(t, err, "KEY_ENCRYPTION_SECRET")
	_, err = b.db.Pool.Exec(t.Context(), `UPDATE signing_keys SET id = 'renamed'`)
	require.NoError(t, err)
	fresh, err := keys.New(b.store, "test-key-secret-0123456789-012345678", b.clock.Now)
	require.NoError(t, err)
	_, err = fresh.Signing(t.Context())
	require.Error(t, err, "a key goes by its own name only")
}
