package identity_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/oauth2"

	"serein.app/services/testkit/redirects"
)

// bent are the tricks, each by itself, behind what is registered, and encoded once more.
func bent(registered string) (all []string) {
	u, _ := url.Parse(registered)
	for _, trick := range redirects.Tricks(u.Host) {
		all = append(all, trick, registered+trick, "https://"+u.Host+trick, url.QueryEscape(trick))
	}
	return all
}

// Neither the address that a code goes to nor the one after a sign-out is any but a registered one, whether somebody is signed in or not.
func TestNoTrickLeadsAwayFromTheProvider(t *testing.T) {
	t.Parallel()
	b := setup(t).serve()
	b.member("amara")
	client, br, visitor := b.rp(), b.browser(), b.browser()
	br.signIn(client, "amara")
	refused := func(p page, at string) {
		t.Helper()
		require.Equal(t, http.StatusBadRequest, p.status, "%q", at)
		require.Empty(t, p.header.Get("Location"), "%q", at)
		require.NotContains(t, p.body, redirects.Evil, "%q", at)
		b.clock.Advance(time.Second) // as fast as one address may
	}
	for _, at := range bent(redirectURI) {
		v := authorization()
		v.Set("redirect_uri", at)
		refused(br.get(b.server.URL+"/oauth/authorize?"+v.Encode()), at)
		refused(visitor.post("/oauth/authorize", v), at)
	}
	for _, at := range bent(afterSignOut) {
		out := b.server.URL + "/oauth/end-session?client_id=gateway&post_logout_redirect_uri=" + url.QueryEscape(at)
		refused(br.get(out), at)
		refused(visitor.get(out), at)
	}
	require.NotEmpty(t, br.open(client, oauth2.GenerateVerifier()).location(t).Query().Get("code"), "nobody was signed out")
}

// The page that asks whether to sign out leads no further than the sign-out itself would.
func TestNoTrickLeadsAwayFromThePageThatAsksWhetherToSignOut(t *testing.T) {
	t.Parallel()
	b := setup(t).serve()
	b.member("amara")
	client, br := b.rp(), b.browser()
	br.signIn(client, "amara")
	for _, at := range bent(afterSignOut) {
		p := br.getFrom("cross-site", b.server.URL+"/oauth/end-session?client_id=gateway&post_logout_redirect_uri="+url.QueryEscape(at))
		require.Contains(t, p.body, "Sign out of Serein?", "%q", at)
		require.NotContains(t, p.header.Get("Content-Security-Policy"), redirects.Evil, "%q", at)
		require.Equal(t, 1, strings.Count(p.body, "<form"), "%q", at)
		require.Contains(t, p.body, `action="/oauth/end-session"`, "%q", at)
		answer := br.post("/oauth/end-session", p.fields())
		require.Empty(t, answer.header.Get("Location"), "%q", at)
		require.NotEqual(t, http.StatusOK, answer.status, "%q", at)
		b.clock.Advance(time.Second) // as fast as one address may
	}
}
