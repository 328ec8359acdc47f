package identity_test

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"github.com/stretchr/testify/require"
	"golang.org/x/oauth2"

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
	// AMR is how somebody signed in (RFC 8176).
	AMR []string `json:"amr"`
}

func (r *rp) verify(tb testing.TB, token *oauth2.Token) idClaims {
	tb.Helper()
	raw, ok := token.Extra("id_token").(string)
	require.True(tb, ok, "an ID token")
	proved, err := r.provider.Verifier(&oidc.Config{ClientID: r.ClientID}).Verify(r.ctx, raw)
	require.NoError(tb, err)
	require.NoError(tb, proved.VerifyAccessToken(token.AccessToken))
	var c idClaims
	require.NoError(tb, proved.Claims(&c))
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
		PreferredUsername: "amara", Nonce: "n-1", AuthTime: c.AuthTime, SID: c.SID, AMR: []string{"pwd"},
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
	start := func(t *testing.T) (*harness, *rp, *oauth2.Token) {
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

	t.Run("a lost answer gives the same successor, and many at once are given one", func(t *testing.T) {
		t.Parallel()
		_, client, first := start(t)
		successors := make(chan string, 8)
		var group sync.WaitGroup
		for range 8 {
			group.Go(func() {
				token, err := client.refresh(first.RefreshToken)
				if err != nil {
					successors <- err.Error()
					return
				}
				successors <- token.RefreshToken
			})
		}
		group.Wait()
		again, err := client.refresh(first.RefreshToken)
		require.NoError(t, err, "the successor was never used")
		for range 8 {
			require.Equal(t, again.RefreshToken, <-successors)
		}
		_, err = client.refresh(again.RefreshToken)
		require.NoError(t, err, "two tabs do not sign each other out")
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

func TestRFC9700_4_3_2AndRFC6750HowATokenIsBroughtAndRefused(t *testing.T) {
	t.Parallel()
	b := setup(t).serve()
	b.member("amara")
	client := b.rp()
	token := b.browser().signIn(client, "amara")
	raw, _ := token.Extra("id_token").(string)
	ask := func(query, authorization, form string) page {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, b.server.URL+"/oauth/userinfo"+query, strings.NewReader(form))
		require.NoError(t, err)
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		if authorization != "" {
			req.Header.Set("Authorization", authorization)
		}
		return b.browser().do(req)
	}
	good := "access_token=" + url.QueryEscape(token.AccessToken)
	require.Equal(t, http.StatusOK, ask("", "Bearer "+token.AccessToken, "").status)
	require.Equal(t, http.StatusOK, ask("", "bearer "+token.AccessToken, "").status)
	require.Equal(t, http.StatusOK, ask("", "", good).status)
	refused := func(p page, status int, code string) {
		t.Helper()
		require.Equal(t, status, p.status, p.body)
		challenge := p.header.Get("WWW-Authenticate")
		require.True(t, strings.HasPrefix(challenge, `Bearer realm="serein"`), challenge)
		require.Equal(t, code != "", strings.Contains(challenge, `error="`+code+`"`) && code != "")
	}
	refused(ask("?"+good, "", ""), http.StatusBadRequest, "invalid_request")
	refused(ask("?"+good, "Bearer "+token.AccessToken, ""), http.StatusBadRequest, "invalid_request")
	refused(ask("", "Bearer "+token.AccessToken, good), http.StatusBadRequest, "invalid_request")
	refused(ask("", "", ""), http.StatusUnauthorized, "")
	refused(ask("", "Basic Z2F0ZXdheTp4", ""), http.StatusUnauthorized, "")
	for _, bad := range []string{"x", "a.b.c", token.AccessToken + "x", raw} {
		refused(ask("", "Bearer "+bad, ""), http.StatusUnauthorized, "invalid_token")
	}
	require.Equal(t, http.StatusOK, b.clientPost("/oauth/revoke", "gateway", gatewaySecret, url.Values{"token": {token.AccessToken}}).status)
	refused(ask("", "Bearer "+token.AccessToken, ""), http.StatusUnauthorized, "invalid_token")
}

func TestRFC9068AnAccessTokenIsNoIDToken(t *testing.T) {
	t.Parallel()
	b := setup(t).serve()
	b.member("amara")
	client := b.rp()
	token := b.browser().signIn(client, "amara")
	again, err := client.refresh(token.RefreshToken)
	require.NoError(t, err)
	for _, given := range []*oauth2.Token{token, again} {
		require.Equal(t, "at+jwt", headerOf(t, given.AccessToken)["typ"])
		require.Equal(t, []string{b.server.URL}, claimsOf(t, given.AccessToken).Audience)
		_, err := client.provider.Verifier(&oidc.Config{ClientID: "gateway"}).Verify(client.ctx, given.AccessToken)
		require.ErrorContains(t, err, "audience", "also where its kind is not looked at")
		raw, _ := given.Extra("id_token").(string)
		require.Equal(t, "JWT", headerOf(t, raw)["typ"])
		require.Equal(t, []string{"gateway"}, claimsOf(t, raw).Audience)
	}
}

func headerOf(t *testing.T, token string) map[string]string {
	t.Helper()
	raw, err := base64.RawURLEncoding.DecodeString(strings.Split(token, ".")[0])
	require.NoError(t, err)
	var header map[string]string
	require.NoError(t, json.Unmarshal(raw, &header))
	return header
}

func TestRFC6749_5_2AClientThatMayNotUseAGrantIsUnauthorized(t *testing.T) {
	t.Parallel()
	b := setup(t).serve()
	for client, grants := range map[string][]string{"reporter": {"authorization_code", "refresh_token"}, "gateway": {"client_credentials"}} {
		secret := map[string]string{"reporter": serviceSecret, "gateway": gatewaySecret}[client]
		for _, grant := range grants {
			p := b.clientPost("/oauth/token", client, secret, url.Values{"grant_type": {grant}, "code": {"x"}, "refresh_token": {"x"}})
			require.Equal(t, http.StatusBadRequest, p.status)
			require.Contains(t, p.body, `"unauthorized_client"`)
		}
	}
}
