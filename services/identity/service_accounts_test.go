package identity_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/oauth2/clientcredentials"

	"serein.app/services/platform/auth"
)

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
		require.Equal(t, "billing.ledger.read billing.plans.read serein.mail.send", token.Extra("scope"))
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
