package identity_test

import (
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/oauth2"
)

// doors are the paths at which strangers' bytes are read.
var doors = []string{
	"/oauth/authorize", "/oauth/token", "/oauth/userinfo", "/oauth/revoke", "/oauth/end-session", "/oauth/keys", "/sign-in",
	"/sign-in/confirm", "/sign-in/consent", "/signed-out", "/", "/assets/none.css", "/.well-known/openid-configuration", "/oauth/introspect",
}

// began gives the fuzzer valid values of a sign-in that is half done, each under a word that stands for it in a request: a request that
// is right by chance alone passes no more than the first check.
func began(f *testing.F, b *harness) *strings.Replacer {
	f.Helper()
	client, verifier := b.rp(), oauth2.GenerateVerifier()
	br := b.browser()
	shown := br.open(client, verifier)
	own, err := url.Parse(b.server.URL)
	require.NoError(f, err)
	flow := br.Jar.Cookies(own)[0].Value
	other := b.browser()
	tokens := other.signIn(client, "amara")
	id, _ := tokens.Extra("id_token").(string)
	cookies := []string{}
	for _, c := range other.Jar.Cookies(own) {
		cookies = append(cookies, c.Name+"="+c.Value)
	}
	asks := b.browser()
	companion := *client
	companion.ClientID, companion.ClientSecret, companion.RedirectURL = "companion", serviceSecret, companionURI
	companion.Scopes = []string{"openid", "serein.user.read"}
	consent := asks.submit(asks.open(&companion, verifier), "amara", goodPassword)
	require.Equal(f, "/sign-in/consent", consent.at.Path)
	for _, c := range asks.Jar.Cookies(own) {
		cookies = append(cookies, c.Name+"="+c.Value)
	}
	waits := b.browser()
	pending := waits.submit(waits.open(client, verifier), "nora", goodPassword)
	require.Equal(f, "/sign-in/confirm", pending.at.Path)
	code := b.browser()
	redirected := code.submit(code.open(client, verifier), "amara", goodPassword)
	return strings.NewReplacer(
		"{request}", url.QueryEscape(shown.fields().Get("request")), "{form}", shown.fields().Get("token"), "{flow}", "__Host-serein-flow="+flow,
		"{session}", strings.Join(cookies[:3], "; "), "{asked}", strings.Join(cookies[3:], "; "),
		"{pending}", url.QueryEscape(pending.fields().Get("request")), "{confirm}", pending.fields().Get("token"), "{waits}", "__Host-serein-flow="+waits.Jar.Cookies(own)[0].Value,
		"{consent}", url.QueryEscape(consent.fields().Get("request")), "{answer}", consent.fields().Get("token"),
		"{code}", redirected.location(f).Query().Get("code"), "{verifier}", verifier, "{challenge}", oauth2.S256ChallengeFromVerifier(verifier),
		"{access}", tokens.AccessToken, "{refresh}", tokens.RefreshToken, "{id}", id, "{password}", url.QueryEscape(goodPassword), "{redirect}", url.QueryEscape(redirectURI),
	)
}

type doorRequest struct{ method, query, contentType, authorization, cookie, origin, body string }

const formType = "application/x-www-form-urlencoded"

func seedDoors(f *testing.F) {
	f.Helper()
	basic := "Basic Z2F0ZXdheTpnYXRld2F5LXNlY3JldC0wMTIzNDU2Nzg5LTAxMjM0NTY3ODk="
	for i := range doors {
		for _, r := range []doorRequest{
			{method: "GET", query: "client_id=gateway&redirect_uri={redirect}&response_type=code&scope=openid&code_challenge={challenge}&code_challenge_method=S256&state=%00&prompt=login+none&max_age=-1&login_hint=%ff&id_token_hint={id}"},
			{method: "POST", contentType: formType, body: "client_id=companion&redirect_uri=https://companion.test/callback&response_type=code&scope=openid+serein.user.read&code_challenge={challenge}&code_challenge_method=S256&nonce=n", cookie: "{session}"},
			{method: "POST", contentType: formType, authorization: basic, body: "grant_type=authorization_code&code={code}&code_verifier={verifier}&redirect_uri={redirect}"},
			{method: "POST", contentType: formType, authorization: basic, body: "grant_type=refresh_token&refresh_token={refresh}&scope=openid"},
			{method: "POST", contentType: formType, body: "grant_type=client_credentials&client_id=reporter&client_secret=" + serviceSecret + "&scope=billing.ledger.read"},
			{method: "POST", contentType: formType, authorization: basic, body: "token={access}&token_type_hint=access_token"},
			{method: "GET", authorization: "Bearer {access}", query: "access_token={access}"},
			{method: "GET", query: "id_token_hint={id}&post_logout_redirect_uri=https://app.test/&state=x&client_id=gateway", cookie: "{session}"},
			{method: "GET", query: "request={request}", cookie: "{flow}"},
			{method: "POST", contentType: formType, cookie: "{flow}", body: "request={request}&token={form}&login=amara&password={password}"},
			{method: "POST", contentType: formType, cookie: "{flow}; {session}", body: "request={request}&token={form}&login=nora&password={password}"},
			{method: "POST", contentType: formType, cookie: "{flow}", body: "request={request}&token={form}&login=%00&password=%ff", origin: "null"},
			{method: "POST", contentType: formType, cookie: "{flow}; {session}", body: "request={request}&token={form}&login=%00&password=%ff"},
			{method: "GET", query: "request={request}", cookie: "{flow}; {session}"},
			{method: "GET", query: "request={pending}", cookie: "{waits}"},
			{method: "POST", contentType: formType, cookie: "{waits}", body: "request={pending}&token={confirm}&code=%00"},
			{method: "POST", contentType: formType, cookie: "{waits}", body: "request={pending}&token={confirm}&again=yes"},
			{method: "POST", contentType: formType, cookie: "{asked}", body: "request={consent}&token={answer}&answer=deny"},
			{method: "POST", contentType: "application/x-amz-json-1.1", body: `{"ClientId":"serein-web","Username":"nora","Password":"x","UserAttributes":[{"Name":"email","Value":"\ud800"}]}`, query: "SignUp"},
			{method: "POST", contentType: "multipart/form-data; boundary=", body: "--\r\n", cookie: "__Host-serein-device=AAAA; __Host-serein-id=; __Host-serein-flow=\"", origin: "https://evil.example"},
			{method: "GET", query: "request=%ff&request=;&%zz", authorization: "Basic !"},
		} {
			f.Add(i, r.method, r.query, r.contentType, r.authorization, r.cookie, r.origin, r.body)
		}
	}
}

// FuzzNoRequestAtThePublicDoorIsOurFault: whatever a stranger or a member sends to any path of the provider is
// answered without a failure of ours; browsers are led nowhere but on or to a registered address, and nobody
// gets a token who has not brought a client's secret.
func FuzzNoRequestAtThePublicDoorIsOurFault(f *testing.F) {
	b := setupTo(f, slog.New(slog.DiscardHandler)).serve()
	b.member("amara")
	_, err := b.accounts.SignUp(f.Context(), form("nora", "nora@example.org"))
	require.NoError(f, err)
	held, handler := began(f, b), b.routes.Load()
	seedDoors(f)
	address := netip.MustParseAddr("10.0.0.1")
	f.Fuzz(func(t *testing.T, door int, method, query, contentType, authorization, cookie, origin, body string) {
		if _, err := http.NewRequestWithContext(t.Context(), method, "/", nil); err != nil {
			return // net/http refuses it before the service sees it
		}
		sent := held.Replace(body)
		r := httptest.NewRequestWithContext(t.Context(), method, "/", strings.NewReader(sent))
		r.URL = &url.URL{Path: doors[uint(door)%uint(len(doors))], RawQuery: held.Replace(query)}
		r.Host = strings.TrimPrefix(b.server.URL, "https://")
		address = address.Next() // what one address may is not what is asked here
		r.RemoteAddr = netip.AddrPortFrom(address, 1).String()
		r.Header = http.Header{"Content-Type": {contentType}, "Cookie": {held.Replace(cookie)}, "X-Amz-Target": {"AWSCognitoIdentityProviderService." + query}}
		for name, value := range map[string]string{"Authorization": held.Replace(authorization), "Origin": origin} {
			if value != "" {
				r.Header.Set(name, value)
			}
		}
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, r)
		require.Less(t, w.Code, http.StatusInternalServerError, "%s %s?%q %q: %s", method, r.URL.Path, r.URL.RawQuery, sent, w.Body)
		requireLedNowhereElse(t, w.Result())
		if strings.HasPrefix(w.Header().Get("Content-Type"), "application/json") && w.Body.Len() > 0 {
			require.True(t, json.Valid(w.Body.Bytes()), "%s", w.Body)
		}
		if strings.Contains(w.Body.String(), `"access_token"`) {
			_, secret, _ := r.BasicAuth()
			proof, _ := url.QueryUnescape(secret)
			require.Contains(t, []string{gatewaySecret, serviceSecret}, max(proof, r.PostForm.Get("client_secret")))
		}
	})
}

// requireLedNowhereElse checks where an answer leads, and that its cookies are this host's alone.
func requireLedNowhereElse(t *testing.T, res *http.Response) {
	t.Helper()
	for _, c := range res.Cookies() {
		require.True(t, strings.HasPrefix(c.Name, "__Host-") && c.Secure && c.HttpOnly, c.Name)
	}
	location := res.Header.Get("Location")
	if location == "" {
		return
	}
	to, err := url.Parse(location)
	require.NoError(t, err)
	to.RawQuery = ""
	registered := []string{redirectURI, companionURI, "https://other.test/callback", afterSignOut}
	require.True(t, slices.Contains(registered, to.String()) || to.Scheme == "" && to.Host == "" && strings.HasPrefix(to.Path, "/"), location)
}
