package identity_test

import (
	"net/http"
	"net/url"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/oauth2"

	eventsv1 "serein.app/proto/gen/serein/events/v1"
	"serein.app/services/identity/internal/oidcop"
)

func TestTheProvidersSession(t *testing.T) {
	t.Parallel()
	start := func(t *testing.T) (*harness, *rp, *browser) {
		t.Helper()
		b := setup(t).serve()
		b.member("amara")
		return b, b.rp(), b.browser()
	}
	silent := func(t *testing.T, p page) {
		t.Helper()
		require.Equal(t, http.StatusFound, p.status, p.body)
		require.NotEmpty(t, p.location(t).Query().Get("code"))
	}

	t.Run("a second sign-in is silent until prompt or age asks", func(t *testing.T) {
		t.Parallel()
		b, client, br := start(t)
		br.signIn(client, "amara")
		silent(t, br.open(client, oauth2.GenerateVerifier()))
		silent(t, br.open(client, oauth2.GenerateVerifier(), oauth2.SetAuthURLParam("prompt", "none")))
		require.Contains(t, br.open(client, oauth2.GenerateVerifier(), oauth2.SetAuthURLParam("prompt", "login")).body, "Password")
		silent(t, br.open(client, oauth2.GenerateVerifier(), oauth2.SetAuthURLParam("max_age", "60")))
		b.clock.Advance(61 * time.Second)
		require.Contains(t, br.open(client, oauth2.GenerateVerifier(), oauth2.SetAuthURLParam("max_age", "60")).body, "Password")
		b.clock.Advance(oidcop.SessionLife)
		require.Contains(t, br.open(client, oauth2.GenerateVerifier()).body, "Password")
	})

	t.Run("prompt=none without a session says login_required", func(t *testing.T) {
		t.Parallel()
		_, client, br := start(t)
		p := br.open(client, oauth2.GenerateVerifier(), oauth2.SetAuthURLParam("prompt", "none"))
		require.Equal(t, "login_required", p.location(t).Query().Get("error"))
		require.Equal(t, "state-1", p.location(t).Query().Get("state"))
	})

	t.Run("its cookie is new at every sign-in, and hidden", func(t *testing.T) {
		t.Parallel()
		b, client, br := start(t)
		begin := br.open(client, oauth2.GenerateVerifier())
		base, err := url.Parse(b.server.URL)
		require.NoError(t, err)
		br.Jar.SetCookies(base, []*http.Cookie{{Name: "__Host-serein-id", Value: "planted", Path: "/", Secure: true}})
		p := br.submit(begin, "amara", goodPassword)
		cookie := p.header.Get("Set-Cookie")
		require.Contains(t, cookie, "__Host-serein-id=")
		require.NotContains(t, cookie, "planted")
		for _, part := range []string{"HttpOnly", "Secure", "SameSite=Lax", "Path=/"} {
			require.Contains(t, cookie, part)
		}
		require.NotContains(t, cookie, "Domain")
	})

	t.Run("sign-out ends the session, its tokens and its cookie, and returns exactly where it may", func(t *testing.T) {
		t.Parallel()
		b, client, br := start(t)
		token := br.signIn(client, "amara")
		out := b.server.URL + "/oauth/end-session?client_id=gateway&state=z&post_logout_redirect_uri="
		wrong := br.get(out + url.QueryEscape("https://evil.test/"))
		require.Equal(t, http.StatusBadRequest, wrong.status)
		silent(t, br.open(client, oauth2.GenerateVerifier()))
		p := br.get(out + url.QueryEscape(afterSignOut))
		require.Equal(t, afterSignOut+"?state=z", p.header.Get("Location"))
		require.Contains(t, br.open(client, oauth2.GenerateVerifier()).body, "Password")
		_, err := client.refresh(token.RefreshToken)
		require.ErrorContains(t, err, "invalid_grant")
		_, err = client.userinfo(token)
		require.Error(t, err)
	})

	t.Run("a sign-out notifies each client with a session that came of it, once", func(t *testing.T) {
		t.Parallel()
		b, client, br := start(t)
		c := client.verify(t, br.signIn(client, "amara"))
		for range 2 {
			br.get(b.server.URL + "/oauth/end-session?client_id=gateway")
		}
		ended := b.outbox("serein.identity.session.ended.v1")
		require.Len(t, ended, 1)
		var event eventsv1.SessionEnded
		require.NoError(t, ended[0].UnmarshalTo(&event))
		require.Equal(t, c.Subject, event.GetUid())
		require.Equal(t, c.SID, event.GetSid())
	})

	t.Run("sign-out without an address shows a page, also to who is signed out", func(t *testing.T) {
		t.Parallel()
		b, client, br := start(t)
		require.Contains(t, br.get(b.server.URL+"/oauth/end-session").body, "You’re signed out")
		br.signIn(client, "amara")
		require.Contains(t, br.get(b.server.URL+"/oauth/end-session?client_id=gateway").body, "You’re signed out")
	})

	t.Run("it is asked first unless the person certainly wants it", func(t *testing.T) {
		t.Parallel()
		b, client, br := start(t)
		token := br.signIn(client, "amara")
		own, _ := token.Extra("id_token").(string)
		b.member("nils")
		others, _ := b.browser().signIn(client, "nils").Extra("id_token").(string)
		elsewhere, _ := b.browser().signIn(client, "amara").Extra("id_token").(string)
		out := b.server.URL + "/oauth/end-session?post_logout_redirect_uri=" + url.QueryEscape(afterSignOut)
		for name, c := range map[string][2]string{
			"another site's link":                    {"cross-site", "&client_id=gateway"},
			"a browser that does not say":            {"", "&client_id=gateway"},
			"a link in a mail":                       {"none", "&client_id=gateway"},
			"a neighbour that is no client":          {"same-site", ""},
			"a client that nobody knows":             {"same-site", "&client_id=nobody"},
			"somebody else's hint":                   {"same-site", "&client_id=gateway&id_token_hint=" + others},
			"a hint of their session in another one": {"cross-site", "&id_token_hint=" + elsewhere},
		} {
			p := br.getFrom(c[0], out+c[1])
			require.Contains(t, p.body, "Sign out of Serein?", name)
			silent(t, br.open(client, oauth2.GenerateVerifier()))
		}
		require.NotContains(t, br.getFrom("", out+"&id_token_hint="+own).body, "Sign out of Serein?", "its own session's")
		require.Contains(t, br.open(client, oauth2.GenerateVerifier()).body, "Password")
	})

	t.Run("the answer counts from our own page alone", func(t *testing.T) {
		t.Parallel()
		b, client, br := start(t)
		br.signIn(client, "amara")
		p := br.getFrom("cross-site", b.server.URL+"/oauth/end-session?client_id=gateway&post_logout_redirect_uri="+url.QueryEscape(afterSignOut))
		require.Contains(t, p.body, "Sign out of Serein?")
		forged := p.fields()
		forged.Set("token", "x")
		require.Contains(t, br.post("/oauth/end-session", forged).body, "Sign out of Serein?")
		silent(t, br.open(client, oauth2.GenerateVerifier()))
		answer := br.post("/oauth/end-session", p.fields())
		require.Equal(t, afterSignOut, answer.header.Get("Location"))
		require.Contains(t, br.open(client, oauth2.GenerateVerifier()).body, "Password")
	})
}
