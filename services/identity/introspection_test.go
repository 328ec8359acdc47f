package identity_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"serein.app/services/identity/internal/oidcop"
	"serein.app/services/testkit"
)

func (b *harness) introspect(id, secret, token string) map[string]any {
	b.t.Helper()
	p := b.clientPost("/oauth/introspect", id, secret, url.Values{"token": {token}})
	require.Equal(b.t, http.StatusOK, p.status, p.body)
	var answer map[string]any
	require.NoError(b.t, json.Unmarshal([]byte(p.body), &answer))
	return answer
}

// with a service account that may ask about everybody's tokens.
func withInspector(b *harness) *harness {
	return b.serveWith(func(c []clientConfig) {
		c[3] = clientConfig{ID: "inspector", Secret: serviceSecret, Scopes: []string{oidcop.ScopeIntrospect}}
	})
}

func TestRFC7662IntrospectionSaysWhatATokenIsGoodForWhileItIs(t *testing.T) {
	t.Parallel()
	b := withInspector(setup(t).serve())
	a := b.member("amara")
	client := b.rp()
	token := b.browser().signIn(client, "amara")
	access := b.introspect("gateway", gatewaySecret, token.AccessToken)
	for name, want := range map[string]any{
		"active": true, "client_id": "gateway", "sub": a.UID.String(), "iss": b.server.URL, "token_type": "Bearer", "aud": []any{b.server.URL},
	} {
		require.Equal(t, want, access[name], name)
	}
	require.Contains(t, access["scope"], "openid")
	require.NotEmpty(t, access["jti"])
	require.Greater(t, access["exp"], access["iat"])
	require.NotContains(t, access, "username", "the answer holds no more than the client needs")
	refresh := b.introspect("gateway", gatewaySecret, token.RefreshToken)
	require.Equal(t, []any{true, "gateway", a.UID.String()}, []any{refresh["active"], refresh["client_id"], refresh["sub"]})
	require.Equal(t, access, b.introspect("inspector", serviceSecret, token.AccessToken), "an API that may ask")

	off := map[string]any{"active": false}
	renewed, err := client.refresh(token.RefreshToken)
	require.NoError(t, err)
	require.Equal(t, off, b.introspect("gateway", gatewaySecret, token.RefreshToken), "a refresh token that was used")
	require.Equal(t, true, b.introspect("gateway", gatewaySecret, renewed.RefreshToken)["active"])
	require.Equal(t, http.StatusOK, b.clientPost("/oauth/revoke", "gateway", gatewaySecret, url.Values{"token": {renewed.RefreshToken}}).status)
	for _, ended := range []string{token.AccessToken, renewed.AccessToken, renewed.RefreshToken} {
		require.Equal(t, off, b.introspect("gateway", gatewaySecret, ended), "what came of a revoked grant")
	}
	late := b.browser().signIn(client, "amara")
	b.clock.Advance(oidcop.TokenLife)
	require.Equal(t, off, b.introspect("gateway", gatewaySecret, late.AccessToken), "after its time")
	b.clock.Advance(oidcop.RefreshLife)
	require.Equal(t, off, b.introspect("gateway", gatewaySecret, late.RefreshToken))
}

func TestRFC7662IntrospectionTellsNobodyOfTokensThatAreNotTheirBusiness(t *testing.T) {
	t.Parallel()
	b := withInspector(setup(t).serve())
	b.member("amara")
	token := b.browser().signIn(b.rp(), "amara")
	id, _ := token.Extra("id_token").(string)
	own := b.clientPost("/oauth/token", "inspector", serviceSecret, url.Values{"grant_type": {"client_credentials"}})
	var account struct {
		Token string `json:"access_token"`
	}
	require.NoError(t, json.Unmarshal([]byte(own.body), &account))
	require.Equal(t, true, b.introspect("inspector", serviceSecret, account.Token)["active"])
	off := map[string]any{"active": false}
	for name, c := range map[string][3]string{
		"another client's":            {"other", serviceSecret, token.AccessToken},
		"another's refresh token":     {"other", serviceSecret, token.RefreshToken},
		"a service account's":         {"other", serviceSecret, account.Token},
		"an ID token":                 {"gateway", gatewaySecret, id},
		"one with a changed end":      {"gateway", gatewaySecret, token.AccessToken[:len(token.AccessToken)-4] + "AAAA"},
		"what is no token":            {"gateway", gatewaySecret, "x.y.z"},
		"what is no token either":     {"gateway", gatewaySecret, "x"},
		"an ID token, by who may ask": {"inspector", serviceSecret, id},
	} {
		require.Equal(t, off, b.introspect(c[0], c[1], c[2]), name)
	}
	for name, c := range map[string]struct {
		id, secret string
		form       url.Values
		status     int
	}{
		"nobody":          {"", "", url.Values{"token": {token.AccessToken}}, http.StatusUnauthorized},
		"a wrong secret":  {"gateway", serviceSecret, url.Values{"token": {token.AccessToken}}, http.StatusUnauthorized},
		"a public client": {"", "", url.Values{"client_id": {"pocket"}, "token": {token.AccessToken}}, http.StatusBadRequest},
		"the token alone": {"", "", url.Values{"token": {token.AccessToken}, "client_id": {"gateway"}}, http.StatusUnauthorized},
		"without a token": {"gateway", gatewaySecret, url.Values{}, http.StatusBadRequest},
	} {
		p := b.clientPost("/oauth/introspect", c.id, c.secret, c.form)
		require.Equal(t, c.status, p.status, name)
		require.NotContains(t, p.body, "active", name)
	}
}

func TestATokenOfAClientThatIsTakenOutIsNotActive(t *testing.T) {
	t.Parallel()
	b := withInspector(setup(t).serve())
	write := b.clientFile()
	write(func(c []clientConfig) []clientConfig {
		return append(c, clientConfig{ID: "inspector", Secret: serviceSecret, Scopes: []string{oidcop.ScopeIntrospect}})
	})
	b.member("amara")
	token := b.browser().signIn(b.pocket(), "amara")
	active := func(token string) func() bool {
		return func() bool {
			p := b.clientPost("/oauth/introspect", "inspector", serviceSecret, url.Values{"token": {token}})
			var answer struct{ Active bool }
			return p.status == http.StatusOK && json.Unmarshal([]byte(p.body), &answer) == nil && answer.Active
		}
	}
	require.Eventually(t, active(token.AccessToken), testkit.Patience, 10*time.Millisecond)
	write(func(c []clientConfig) []clientConfig {
		return append(c[:4], clientConfig{ID: "inspector", Secret: serviceSecret, Scopes: []string{oidcop.ScopeIntrospect}})
	})
	require.Eventually(t, func() bool { return !active(token.AccessToken)() && !active(token.RefreshToken)() }, testkit.Patience, 10*time.Millisecond)
}
