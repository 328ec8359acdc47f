package identity_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"strings"
	"testing"

	"github.com/coreos/go-oidc/v3/oidc"
	"github.com/stretchr/testify/require"
	"golang.org/x/oauth2"

	"serein.app/services/platform/auth"
)

// companion is a client that may read and write profiles in a member's name.
func (b *harness) companion(scopes ...string) *rp {
	b.t.Helper()
	client := b.rp()
	client.ClientID, client.ClientSecret, client.RedirectURL = "companion", serviceSecret, companionURI
	client.Scopes = append([]string{"openid", "offline_access"}, scopes...)
	return client
}

type accessClaims struct {
	Issuer   string   `json:"iss"`
	Subject  string   `json:"sub"`
	Audience []string `json:"aud"`
	ClientID string   `json:"client_id"`
	Scope    string   `json:"scope"`
}

// claimsOf reads a token's claims, unproved.
func claimsOf(t *testing.T, raw string) accessClaims {
	t.Helper()
	parts := strings.Split(raw, ".")
	require.Len(t, parts, 3)
	payload, err := base64.RawURLEncoding.DecodeString(parts[1])
	require.NoError(t, err)
	var c accessClaims
	require.NoError(t, json.Unmarshal(payload, &c))
	return c
}

// proveAPI proves an access token as a resource server does: by discovery, signature and audience.
func (b *harness) proveAPI(ctx context.Context, raw string) error {
	provider, err := oidc.NewProvider(ctx, b.server.URL)
	require.NoError(b.t, err)
	_, err = provider.Verifier(&oidc.Config{ClientID: auth.APIAudience}).Verify(ctx, raw)
	return err
}

func TestAClientActsInAMembersNameWithinItsScopes(t *testing.T) {
	t.Parallel()

	t.Run("the token says who, for which client, for what, and where it counts", func(t *testing.T) {
		t.Parallel()
		b := setup(t).serve()
		a := b.member("amara")
		client := b.companion("serein.user.read", "serein.user.write")
		token := b.browser().signIn(client, "amara")
		require.NoError(t, b.proveAPI(client.ctx, token.AccessToken))
		c := claimsOf(t, token.AccessToken)
		require.Equal(t, b.server.URL, c.Issuer)
		require.Equal(t, a.UID.String(), c.Subject)
		require.Equal(t, "companion", c.ClientID)
		require.ElementsMatch(t, []string{b.server.URL, auth.APIAudience}, c.Audience)
		require.ElementsMatch(t, []string{"openid", "offline_access", "serein.user.read", "serein.user.write"}, strings.Fields(c.Scope))

		again, err := client.refresh(token.RefreshToken)
		require.NoError(t, err)
		require.NoError(t, b.proveAPI(client.ctx, again.AccessToken))
		require.Equal(t, c, claimsOf(t, again.AccessToken), "and says the same after a refresh")
	})

	t.Run("only scopes it is configured with are granted", func(t *testing.T) {
		t.Parallel()
		b := setup(t).serve()
		b.member("amara")
		client := b.companion("serein.user.read", "serein.mail.send", "billing.ledger.read")
		c := claimsOf(t, b.browser().signIn(client, "amara").AccessToken)
		require.ElementsMatch(t, []string{"openid", "offline_access", "serein.user.read"}, strings.Fields(c.Scope))
	})

	t.Run("without scopes of the API a token counts here alone", func(t *testing.T) {
		t.Parallel()
		b := setup(t).serve()
		b.member("amara")
		for _, client := range []*rp{b.companion(), b.companion("serein.mail.send"), b.rp()} {
			token := b.browser().signIn(client, "amara")
			require.Error(t, b.proveAPI(client.ctx, token.AccessToken))
			require.Equal(t, []string{b.server.URL}, claimsOf(t, token.AccessToken).Audience)
		}
	})

	t.Run("an ID token carries no scope, and is its client's alone", func(t *testing.T) {
		t.Parallel()
		b := setup(t).serve()
		b.member("amara")
		client := b.companion("serein.user.read")
		token := b.browser().signIn(client, "amara")
		again, err := client.refresh(token.RefreshToken)
		require.NoError(t, err)
		for _, given := range []*oauth2.Token{token, again} {
			raw, _ := given.Extra("id_token").(string)
			c := claimsOf(t, raw)
			require.Empty(t, c.Scope)
			require.Equal(t, []string{"companion"}, c.Audience)
			require.Error(t, b.proveAPI(client.ctx, raw))
			require.NoError(t, b.proveAPI(client.ctx, given.AccessToken))
		}
	})

	t.Run("no service takes it for a service account", func(t *testing.T) {
		t.Parallel()
		b := setup(t).serve()
		b.member("amara")
		client := b.companion("serein.user.read")
		verifier, err := auth.NewVerifier("identity", withIssuer(t, b.server.URL))
		require.NoError(t, err)
		_, err = verifier.Verify(client.ctx, "Bearer "+b.browser().signIn(client, "amara").AccessToken)
		require.ErrorIs(t, err, auth.ErrUnauthenticated)
	})

	t.Run("what the configuration takes away ends with the next refresh", func(t *testing.T) {
		t.Parallel()
		b := setup(t).serve()
		b.member("amara")
		client := b.companion("serein.user.read", "serein.user.write")
		token := b.browser().signIn(client, "amara")
		b.serveWith(func(c []clientConfig) {
			for i := range c {
				if c[i].ID == "companion" {
					c[i].Scopes = []string{"serein.user.read", "offline_access"}
				}
			}
		})
		narrowed, err := client.refresh(token.RefreshToken)
		require.NoError(t, err)
		require.ElementsMatch(t, []string{"openid", "offline_access", "serein.user.read"}, strings.Fields(claimsOf(t, narrowed.AccessToken).Scope))
	})

	t.Run("it is no service account itself", func(t *testing.T) {
		t.Parallel()
		b := setup(t).serve()
		p := b.clientPost("/oauth/token", "companion", serviceSecret, map[string][]string{"grant_type": {"client_credentials"}, "scope": {"serein.user.read"}})
		require.NotEqual(t, 200, p.status)
		require.NotContains(t, p.body, "access_token")
	})

	t.Run("discovery names the scopes", func(t *testing.T) {
		t.Parallel()
		b := setup(t).serve()
		provider, err := oidc.NewProvider(oidc.ClientContext(t.Context(), b.server.Client()), b.server.URL)
		require.NoError(t, err)
		var said struct {
			Scopes []string `json:"scopes_supported"`
		}
		require.NoError(t, provider.Claims(&said))
		require.Equal(t, []string{"openid", "profile", "email", "phone", "offline_access", "serein.user.read", "serein.user.write"}, said.Scopes)
	})
}

func TestAServiceAccountsTokenIsProvedByAudienceAndScope(t *testing.T) {
	t.Parallel()
	b := setup(t).serve()
	p := b.clientPost("/oauth/token", "reporter", serviceSecret, map[string][]string{"grant_type": {"client_credentials"}, "scope": {"serein.mail.send"}})
	var token oauth2.Token
	require.NoError(t, json.Unmarshal([]byte(p.body), &token), p.body)
	require.Equal(t, accessClaims{
		Issuer: b.server.URL, Subject: "reporter", Audience: []string{auth.ServiceAudience}, ClientID: "reporter", Scope: "serein.mail.send",
	}, claimsOf(t, token.AccessToken))
	ctx := oidc.ClientContext(t.Context(), b.server.Client())
	require.Error(t, b.proveAPI(ctx, token.AccessToken), "no member stands behind it")
}
