package identity_test

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/oauth2"
)

// pocket is the relying party of the app that can keep no secret.
func (b *harness) pocket() *rp {
	b.t.Helper()
	app := b.rp()
	app.ClientID, app.ClientSecret, app.RedirectURL = "pocket", "", pocketURI
	app.Endpoint.AuthStyle = oauth2.AuthStyleInParams
	app.Scopes = []string{"openid", "profile", "email", "offline_access", "serein.user.read"}
	return app
}

func TestAPublicClientSignsInWithPKCEAndWithoutASecret(t *testing.T) {
	t.Parallel()
	b := setup(t).serve()
	b.member("amara")
	app, br := b.pocket(), b.browser()
	token := br.signIn(app, "amara")
	app.verify(t, token)
	_, err := app.userinfo(token)
	require.NoError(t, err)
	renewed, err := app.refresh(token.RefreshToken)
	require.NoError(t, err)
	require.NotEqual(t, token.RefreshToken, renewed.RefreshToken, "RFC 9700, 4.14.2: a public client's are used once")
	revoked := b.clientPost("/oauth/revoke", "", "", url.Values{"client_id": {"pocket"}, "token": {renewed.RefreshToken}})
	require.Equal(t, http.StatusOK, revoked.status)
	_, err = app.userinfo(renewed)
	require.Error(t, err)
}

func TestWhatAPublicClientIsRefused(t *testing.T) {
	t.Parallel()
	b := setup(t).serve()
	b.member("amara")
	app, br := b.pocket(), b.browser()
	exchange := func(t *testing.T, change func(url.Values), id, secret string) page {
		t.Helper()
		verifier := oauth2.GenerateVerifier()
		answer := br.open(app, verifier)
		if answer.status == http.StatusOK && answer.at.Path == "/sign-in" {
			answer = br.submit(answer, "amara", goodPassword)
		}
		if answer.at.Path == "/sign-in/consent" {
			answer = br.answer(answer, "allow")
		}
		form := url.Values{
			"grant_type": {"authorization_code"}, "client_id": {"pocket"}, "redirect_uri": {pocketURI},
			"code": {answer.location(t).Query().Get("code")}, "code_verifier": {verifier},
		}
		change(form)
		return b.clientPost("/oauth/token", id, secret, form)
	}
	require.Equal(t, http.StatusOK, exchange(t, func(url.Values) {}, "", "").status, "the request itself is good")
	for name, c := range map[string]struct {
		change     func(url.Values)
		id, secret string
		reason     string
	}{
		"without its verifier":            {func(v url.Values) { v.Del("code_verifier") }, "", "", "invalid_"},
		"another's verifier":              {func(v url.Values) { v.Set("code_verifier", oauth2.GenerateVerifier()) }, "", "", "invalid_grant"},
		"another redirect address":        {func(v url.Values) { v.Set("redirect_uri", companionURI) }, "", "", "invalid_grant"},
		"a secret that it cannot have":    {func(v url.Values) { v.Set("client_secret", serviceSecret) }, "", "", "invalid_client"},
		"a secret in the header":          {func(url.Values) {}, "pocket", serviceSecret, "invalid_client"},
		"no secret in the header":         {func(url.Values) {}, "pocket", "", "invalid_client"},
		"the id of one with a secret":     {func(v url.Values) { v.Set("client_id", "gateway") }, "", "", "invalid_client"},
		"no id":                           {func(v url.Values) { v.Del("client_id") }, "", "", "invalid_client"},
		"the id of one who is unknown":    {func(v url.Values) { v.Set("client_id", "nobody") }, "", "", "invalid_client"},
		"its own credentials' grant":      {func(v url.Values) { v.Set("grant_type", "client_credentials") }, "", "", "unauthorized_client"},
		"a code that is another client's": {func(v url.Values) { v.Set("client_id", "other"); v.Set("client_secret", serviceSecret) }, "", "", "invalid_grant"},
	} {
		t.Run(name, func(t *testing.T) {
			p := exchange(t, c.change, c.id, c.secret)
			require.GreaterOrEqual(t, p.status, 400)
			require.Contains(t, p.body, `"error":"`+c.reason)
		})
	}
	withoutPKCE := b.browser().get(app.AuthCodeURL("state-1"))
	require.Equal(t, "invalid_request", withoutPKCE.location(t).Query().Get("error"))
}

// script asks as a page of that origin does.
func (b *harness) script(method, path, origin string, form url.Values, headers ...string) page {
	b.t.Helper()
	req, err := http.NewRequestWithContext(b.t.Context(), method, b.server.URL+path, nil)
	if form != nil {
		req, err = http.NewRequestWithContext(b.t.Context(), method, b.server.URL+path, strings.NewReader(form.Encode()))
	}
	require.NoError(b.t, err)
	if form != nil {
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	req.Header.Set("Origin", origin)
	for i := 0; i+1 < len(headers); i += 2 {
		req.Header.Set(headers[i], headers[i+1])
	}
	return b.browser().do(req)
}

func TestPagesOfAPublicClientReadWhatItIsAnsweredAndNobodyElses(t *testing.T) {
	t.Parallel()
	b := setup(t).serve()
	b.serveWith(func(c []clientConfig) {
		c[1] = clientConfig{ID: "other", Public: true, RedirectURIs: []string{"https://other.test/callback"}}
	})
	b.member("amara")
	token := b.browser().signIn(b.pocket(), "amara")
	const pocket, other, withSecret, stranger = "https://pocket.test", "https://other.test", "https://companion.test", "https://evil.test"
	bearer := []string{"Authorization", "Bearer " + token.AccessToken}
	wrong := []string{"Authorization", "Bearer x"}
	own := url.Values{"client_id": {"pocket"}, "grant_type": {"refresh_token"}, "refresh_token": {"x"}}
	for name, c := range map[string]struct {
		method, path string
		form         url.Values
		headers      []string
		readers      []string
	}{
		"discovery":             {"GET", "/.well-known/openid-configuration", nil, nil, []string{pocket, other}},
		"keys":                  {"GET", "/oauth/keys", nil, nil, []string{pocket, other}},
		"token":                 {"POST", "/oauth/token", own, nil, []string{pocket}},
		"a refusal at token":    {"POST", "/oauth/token", url.Values{"client_id": {"pocket"}}, nil, []string{pocket}},
		"token of one unknown":  {"POST", "/oauth/token", url.Values{"client_id": {"nobody"}}, nil, nil},
		"token with a secret":   {"POST", "/oauth/token", url.Values{"client_id": {"companion"}, "client_secret": {serviceSecret}}, nil, nil},
		"revocation":            {"POST", "/oauth/revoke", url.Values{"client_id": {"pocket"}, "token": {"x"}}, nil, []string{pocket}},
		"userinfo":              {"GET", "/oauth/userinfo", nil, bearer, []string{pocket}},
		"a refusal at userinfo": {"GET", "/oauth/userinfo", nil, wrong, []string{pocket, other}},
		"the sign-in page":      {"GET", "/sign-in", nil, nil, nil},
		"authorization":         {"GET", "/oauth/authorize", nil, nil, nil},
		"the end of a session":  {"GET", "/oauth/end-session", nil, nil, nil},
	} {
		t.Run(name, func(t *testing.T) {
			for _, origin := range []string{pocket, other, withSecret, stranger, "null", "http://pocket.test", "https://pocket.test:8443", "https://pocket.test.evil.test"} {
				p := b.script(c.method, c.path, origin, c.form, c.headers...)
				allowed := p.header.Values("Access-Control-Allow-Origin")
				require.Empty(t, p.header.Get("Access-Control-Allow-Credentials"))
				if slices.Contains(c.readers, origin) {
					require.Equal(t, []string{origin}, allowed, origin)
					require.Contains(t, p.header.Values("Vary"), "Origin")
				} else {
					require.Empty(t, allowed, origin)
				}
			}
		})
	}
	for path, methods := range map[string]string{
		"/.well-known/openid-configuration": "GET", "/oauth/keys": "GET", "/oauth/token": "POST", "/oauth/revoke": "POST", "/oauth/userinfo": "GET, POST",
	} {
		p := b.script("OPTIONS", path, pocket, nil, "Access-Control-Request-Method", "POST")
		require.Equal(t, http.StatusNoContent, p.status, path)
		require.Equal(t, pocket, p.header.Get("Access-Control-Allow-Origin"), path)
		require.Equal(t, methods, p.header.Get("Access-Control-Allow-Methods"), path)
		require.Equal(t, "Authorization, Content-Type", p.header.Get("Access-Control-Allow-Headers"))
		for _, origin := range []string{withSecret, stranger, "null"} {
			require.Empty(t, b.script("OPTIONS", path, origin, nil).header.Get("Access-Control-Allow-Origin"), path+" "+origin)
		}
	}
	require.NotEqual(t, http.StatusNoContent, b.script("OPTIONS", "/oauth/authorize", pocket, nil).status)
}
