package identity_test

import (
	"encoding/json"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/oauth2"

	"serein.app/services/testkit"
)

// The modules of the OpenID Foundation's conformance suite, by their names in its plans for providers: basic, config,
// RP-initiated logout and back-channel logout. Each is a test here that asks what the module asks. All of them use PKCE,
// without which nothing is given (RFC 9700, 2.1.1).
var conformancePlans = map[string][]string{
	"oidcc-basic-certification-test-plan": {
		"oidcc-server", "oidcc-response-type-missing", "oidcc-idtoken-signature", "oidcc-idtoken-unsigned", "oidcc-userinfo-get",
		"oidcc-userinfo-post-header", "oidcc-userinfo-post-body", "oidcc-ensure-request-without-nonce-succeeds-for-code-flow",
		"oidcc-scope-profile", "oidcc-scope-email", "oidcc-scope-address", "oidcc-scope-phone", "oidcc-scope-all", "oidcc-alternate-happy-flow",
		"oidcc-display-page", "oidcc-display-popup", "oidcc-prompt-login", "oidcc-prompt-none-not-logged-in", "oidcc-prompt-none-logged-in",
		"oidcc-max-age-1", "oidcc-max-age-10000", "oidcc-ensure-request-with-unknown-parameter-succeeds", "oidcc-id-token-hint", "oidcc-login-hint",
		"oidcc-ui-locales", "oidcc-claims-locales", "oidcc-ensure-request-with-acr-values-succeeds", "oidcc-codereuse", "oidcc-codereuse-30seconds",
		"oidcc-ensure-registered-redirect-uri", "oidcc-ensure-post-request-succeeds", "oidcc-server-client-secret-post",
		"oidcc-request-uri-unsigned-supported-correctly-or-rejected-as-unsupported",
		"oidcc-unsigned-request-object-supported-correctly-or-rejected-as-unsupported", "oidcc-claims-essential",
		"oidcc-ensure-request-object-with-redirect-uri", "oidcc-refresh-token", "oidcc-ensure-request-with-valid-pkce-succeeds",
	},
	"oidcc-config-certification-test-plan": {"oidcc-discovery-endpoint-verification"},
	"oidcc-rp-initiated-logout-certification-test-plan": {
		"oidcc-rp-initiated-logout-discovery-endpoint-verification", "oidcc-rp-initiated-logout", "oidcc-rp-initiated-logout-bad-post-logout-redirect-uri",
		"oidcc-rp-initiated-logout-modified-id-token-hint", "oidcc-rp-initiated-logout-no-id-token-hint", "oidcc-rp-initiated-logout-no-params",
		"oidcc-rp-initiated-logout-no-post-logout-redirect-uri", "oidcc-rp-initiated-logout-no-state", "oidcc-rp-initiated-logout-only-state",
		"oidcc-rp-initiated-logout-query-added-to-post-logout-redirect-uri", "oidcc-rp-initiated-logout-bad-id-token-hint",
	},
	"oidcc-backchannel-rp-initiated-logout-certification-test-plan": {
		"oidcc-backchannel-logout-discovery-endpoint-verification", "oidcc-backchannel-rp-initiated-logout",
	},
}

// notApplicable are modules, or what they ask for, that do not apply, and why. Each still has a test: what is not
// offered is refused, or ignored, as the standards say.
var notApplicable = map[string]string{
	"oidcc-idtoken-unsigned": "ID tokens are always signed: alg none is not offered",
	"oidcc-scope-address":    "members have no address here; the scope is taken, and no claim comes of it",
	"oidcc-scope-phone":      "members have no phone number here; the scope is taken, and no claim comes of it",
	"oidcc-claims-essential": "claims_parameter_supported is not offered: the parameter is ignored (Core, 5.5)",
	"oidcc-request-uri-unsigned-supported-correctly-or-rejected-as-unsupported":    "request_uri is not offered",
	"oidcc-unsigned-request-object-supported-correctly-or-rejected-as-unsupported": "request is not offered",
	"oidcc-ensure-request-object-with-redirect-uri":                                "request is not offered",
}

// opUnderTest is the provider of one module, with a member and a relying party.
type opUnderTest struct {
	*harness
	*rp
	br *browser
	// heard are the back-channel notices that the client received, in all modules.
	heard *informed
}

func TestConformance(t *testing.T) {
	t.Parallel()
	cases := map[string]func(*testing.T, *opUnderTest){}
	for _, table := range []map[string]func(*testing.T, *opUnderTest){basicModules, requestModules, logoutModules} {
		maps.Copy(cases, table)
	}
	var named []string
	for _, modules := range conformancePlans {
		named = append(named, modules...)
	}
	require.ElementsMatch(t, named, slices.Collect(maps.Keys(cases)), "every module has its test, and every test its module")
	for module := range notApplicable {
		require.Contains(t, named, module)
	}
	shared := setup(t).serve()
	heard := hears(t)
	shared.serveWith(func(c []clientConfig) { c[0].BackChannelLogoutURI = heard.URL })
	shared.member("amara")
	for _, plan := range slices.Sorted(maps.Keys(conformancePlans)) {
		for _, module := range conformancePlans[plan] {
			t.Run(plan+"/"+module, func(t *testing.T) {
				o := &harness{t: t, clock: shared.clock, server: shared.server}
				cases[module](t, &opUnderTest{harness: o, rp: o.rp(), br: o.browser(), heard: heard})
			})
		}
	}
}

// flow is an authorization in that browser with those parameters, and the exchange of its code.
func (o *opUnderTest) flow(t *testing.T, parameters ...string) (*oauth2.Token, idClaims) {
	t.Helper()
	verifier := oauth2.GenerateVerifier()
	answer := o.open(o.br, verifier, parameters...)
	if answer.status == http.StatusOK {
		require.Equal(t, "/sign-in", answer.at.Path, answer.body)
		answer = o.br.submit(answer, "amara", goodPassword)
	}
	return o.exchange(t, answer, verifier)
}

func (o *opUnderTest) exchange(t *testing.T, answer page, verifier string) (*oauth2.Token, idClaims) {
	t.Helper()
	require.Equal(t, http.StatusFound, answer.status, answer.body)
	query := answer.location(t).Query()
	require.Equal(t, o.server.URL, query.Get("iss"))
	token, err := o.Exchange(o.ctx, query.Get("code"), oauth2.VerifierOption(verifier))
	require.NoError(t, err)
	return token, o.verify(t, token)
}

func (o *opUnderTest) address(verifier string, parameters ...string) url.Values {
	v := url.Values{
		"client_id": {"gateway"}, "redirect_uri": {redirectURI}, "response_type": {"code"}, "scope": {"openid"}, "state": {"state-1"}, "nonce": {"n-1"},
		"code_challenge": {oauth2.S256ChallengeFromVerifier(verifier)}, "code_challenge_method": {"S256"},
	}
	for i := 0; i+1 < len(parameters); i += 2 {
		v.Set(parameters[i], parameters[i+1])
		if parameters[i+1] == "" {
			v.Del(parameters[i])
		}
	}
	return v
}

// open asks with those parameters in place of the usual ones; an empty one is left out.
func (o *opUnderTest) open(br *browser, verifier string, parameters ...string) page {
	return br.get(o.server.URL + "/oauth/authorize?" + o.address(verifier, parameters...).Encode())
}

// refused requires the provider to answer the client with that error.
func (o *opUnderTest) refused(t *testing.T, reason string, parameters ...string) {
	t.Helper()
	query := o.open(o.br, oauth2.GenerateVerifier(), parameters...).location(t).Query()
	require.Equal(t, []string{reason, "state-1", o.server.URL, ""}, []string{query.Get("error"), query.Get("state"), query.Get("iss"), query.Get("code")})
}

func (o *opUnderTest) claims(t *testing.T, scope string) map[string]any {
	t.Helper()
	token, id := o.flow(t, "scope", scope)
	info, err := o.userinfo(token)
	require.NoError(t, err)
	require.Equal(t, id.Subject, info.Subject)
	claims := map[string]any{}
	require.NoError(t, info.Claims(&claims))
	return claims
}

func (o *opUnderTest) discovered(t *testing.T) map[string]any {
	t.Helper()
	p := o.br.get(o.server.URL + "/.well-known/openid-configuration")
	require.Equal(t, http.StatusOK, p.status)
	require.Equal(t, "application/json", p.header.Get("Content-Type"))
	var named map[string]any
	require.NoError(t, json.Unmarshal([]byte(p.body), &named))
	return named
}

// succeeds is a module that sends a parameter which must do no harm.
func succeeds(parameters ...string) func(*testing.T, *opUnderTest) {
	return func(t *testing.T, o *opUnderTest) { t.Helper(); o.flow(t, parameters...) }
}

var basicModules = map[string]func(*testing.T, *opUnderTest){
	"oidcc-server": func(t *testing.T, o *opUnderTest) {
		t.Helper()
		token, id := o.flow(t, "scope", "openid profile email")
		require.Equal(t, "Bearer", token.TokenType)
		require.Positive(t, token.ExpiresIn)
		require.Equal(t, "n-1", id.Nonce)
		require.NotZero(t, id.AuthTime)
		require.LessOrEqual(t, len(id.Subject), 255, "Core, 2")
	},
	"oidcc-idtoken-signature": func(t *testing.T, o *opUnderTest) {
		t.Helper()
		token, _ := o.flow(t)
		require.NotEmpty(t, keyOf(t, token), "several keys are published, so each token names its own")
		require.Contains(t, o.discovered(t)["id_token_signing_alg_values_supported"], "RS256", "Discovery, 3")
	},
	"oidcc-idtoken-unsigned": func(t *testing.T, o *opUnderTest) {
		t.Helper()
		require.NotContains(t, o.discovered(t)["id_token_signing_alg_values_supported"], "none")
	},
	"oidcc-userinfo-get":         func(t *testing.T, o *opUnderTest) { t.Helper(); o.claims(t, "openid") },
	"oidcc-userinfo-post-header": func(t *testing.T, o *opUnderTest) { t.Helper(); o.userinfoByPost(t, true) },
	"oidcc-userinfo-post-body":   func(t *testing.T, o *opUnderTest) { t.Helper(); o.userinfoByPost(t, false) },
	"oidcc-scope-profile": func(t *testing.T, o *opUnderTest) {
		t.Helper()
		claims := o.claims(t, "openid profile")
		require.Equal(t, []any{"Amara", "Lindqvist", "Amara Lindqvist", "amara"}, []any{claims["given_name"], claims["family_name"], claims["name"], claims["preferred_username"]})
		require.NotContains(t, claims, "email")
	},
	"oidcc-scope-email": func(t *testing.T, o *opUnderTest) {
		t.Helper()
		claims := o.claims(t, "openid email")
		require.Equal(t, []any{"amara@example.org", true}, []any{claims["email"], claims["email_verified"]})
		require.NotContains(t, claims, "name")
	},
	"oidcc-scope-address": func(t *testing.T, o *opUnderTest) {
		t.Helper()
		require.NotContains(t, o.claims(t, "openid address"), "address")
	},
	"oidcc-scope-phone": func(t *testing.T, o *opUnderTest) {
		t.Helper()
		require.NotContains(t, o.claims(t, "openid phone"), "phone_number")
	},
	"oidcc-scope-all": func(t *testing.T, o *opUnderTest) {
		t.Helper()
		claims := o.claims(t, "openid profile email address phone")
		require.Contains(t, claims, "name")
		require.Contains(t, claims, "email")
	},
	"oidcc-alternate-happy-flow": func(t *testing.T, o *opUnderTest) {
		t.Helper()
		_, id := o.flow(t, "scope", "email openid profile", "state", "", "nonce", "a nonce with ünusual/signs?&=+%")
		require.Equal(t, "a nonce with ünusual/signs?&=+%", id.Nonce)
	},
	"oidcc-prompt-login": func(t *testing.T, o *opUnderTest) {
		t.Helper()
		_, first := o.flow(t)
		o.clock.Advance(2 * time.Second)
		require.Contains(t, o.open(o.br, oauth2.GenerateVerifier(), "prompt", "login").body, "Password")
		_, second := o.flow(t, "prompt", "login")
		require.Equal(t, first.Subject, second.Subject)
		require.Greater(t, second.AuthTime, first.AuthTime)
	},
	"oidcc-prompt-none-not-logged-in": func(t *testing.T, o *opUnderTest) { t.Helper(); o.refused(t, "login_required", "prompt", "none") },
	"oidcc-prompt-none-logged-in": func(t *testing.T, o *opUnderTest) {
		t.Helper()
		_, first := o.flow(t)
		o.clock.Advance(2 * time.Second)
		_, second := o.flow(t, "prompt", "none")
		require.Equal(t, []any{first.Subject, first.AuthTime}, []any{second.Subject, second.AuthTime})
	},
	"oidcc-max-age-1": func(t *testing.T, o *opUnderTest) {
		t.Helper()
		_, first := o.flow(t)
		o.clock.Advance(2 * time.Second)
		o.refused(t, "login_required", "prompt", "none", "max_age", "1")
		_, second := o.flow(t, "max_age", "1")
		require.Greater(t, second.AuthTime, first.AuthTime)
	},
	"oidcc-max-age-10000": func(t *testing.T, o *opUnderTest) {
		t.Helper()
		_, first := o.flow(t)
		o.clock.Advance(2 * time.Second)
		_, second := o.flow(t, "max_age", "10000", "prompt", "none")
		require.Equal(t, first.AuthTime, second.AuthTime)
	},
	"oidcc-id-token-hint": func(t *testing.T, o *opUnderTest) {
		t.Helper()
		token, first := o.flow(t)
		hint, _ := token.Extra("id_token").(string)
		_, second := o.flow(t, "prompt", "none", "id_token_hint", hint)
		require.Equal(t, first.Subject, second.Subject)
	},
	"oidcc-login-hint": func(t *testing.T, o *opUnderTest) {
		t.Helper()
		require.Contains(t, o.open(o.br, oauth2.GenerateVerifier(), "login_hint", "amara").body, `value="amara"`)
		o.flow(t, "login_hint", "amara")
	},
	"oidcc-codereuse":           func(t *testing.T, o *opUnderTest) { t.Helper(); o.codeTwice(t, 0) },
	"oidcc-codereuse-30seconds": func(t *testing.T, o *opUnderTest) { t.Helper(); o.codeTwice(t, 30*time.Second) },
	"oidcc-server-client-secret-post": func(t *testing.T, o *opUnderTest) {
		t.Helper()
		o.Endpoint.AuthStyle = oauth2.AuthStyleInParams
		o.flow(t)
	},
	"oidcc-refresh-token": func(t *testing.T, o *opUnderTest) {
		t.Helper()
		token, first := o.flow(t, "scope", "openid offline_access")
		renewed, err := o.refresh(token.RefreshToken)
		require.NoError(t, err)
		second := o.verify(t, renewed)
		require.Equal(t, []any{first.Subject, first.AuthTime, first.SID}, []any{second.Subject, second.AuthTime, second.SID}, "Core, 12.2")
		o.ClientID, o.ClientSecret = "other", serviceSecret
		_, err = o.refresh(renewed.RefreshToken)
		require.ErrorContains(t, err, "invalid_grant", "a second client's")
	},
}

func (o *opUnderTest) userinfoByPost(t *testing.T, header bool) {
	t.Helper()
	token, id := o.flow(t)
	form, headers := url.Values{"access_token": {token.AccessToken}}, []string(nil)
	if header {
		form, headers = url.Values{}, []string{"Authorization", "Bearer " + token.AccessToken}
	}
	p := o.script(http.MethodPost, "/oauth/userinfo", "https://app.test", form, headers...)
	require.Equal(t, http.StatusOK, p.status, p.body)
	require.Contains(t, p.body, id.Subject)
}

func (o *opUnderTest) codeTwice(t *testing.T, after time.Duration) {
	t.Helper()
	verifier := oauth2.GenerateVerifier()
	answer := o.br.submit(o.open(o.br, verifier), "amara", goodPassword)
	token, _ := o.exchange(t, answer, verifier)
	o.clock.Advance(after)
	_, err := o.Exchange(o.ctx, answer.location(t).Query().Get("code"), oauth2.VerifierOption(verifier))
	require.ErrorContains(t, err, "invalid_grant")
	_, err = o.userinfo(token)
	require.Error(t, err, "RFC 6749, 4.1.2: what came of it ends")
}

var requestModules = map[string]func(*testing.T, *opUnderTest){
	"oidcc-response-type-missing": func(t *testing.T, o *opUnderTest) { t.Helper(); o.refused(t, "invalid_request", "response_type", "") },
	"oidcc-ensure-request-without-nonce-succeeds-for-code-flow": func(t *testing.T, o *opUnderTest) {
		t.Helper()
		_, id := o.flow(t, "nonce", "")
		require.Empty(t, id.Nonce)
	},
	"oidcc-display-page":                                   succeeds("display", "page"),
	"oidcc-display-popup":                                  succeeds("display", "popup"),
	"oidcc-ui-locales":                                     succeeds("ui_locales", "se"),
	"oidcc-claims-locales":                                 succeeds("claims_locales", "se"),
	"oidcc-ensure-request-with-acr-values-succeeds":        succeeds("acr_values", "1 2"),
	"oidcc-ensure-request-with-unknown-parameter-succeeds": succeeds("extra", "foobar"),
	"oidcc-claims-essential":                               succeeds("claims", `{"userinfo":{"name":{"essential":true}}}`),
	"oidcc-ensure-request-with-valid-pkce-succeeds": func(t *testing.T, o *opUnderTest) {
		t.Helper()
		o.flow(t)
		require.Equal(t, []any{"S256"}, o.discovered(t)["code_challenge_methods_supported"])
	},
	"oidcc-ensure-registered-redirect-uri": func(t *testing.T, o *opUnderTest) {
		t.Helper()
		p := o.open(o.br, oauth2.GenerateVerifier(), "redirect_uri", redirectURI+"?other=1")
		require.Equal(t, http.StatusBadRequest, p.status)
		require.Empty(t, p.header.Get("Location"), "the person gets a page, and no redirect")
	},
	"oidcc-ensure-post-request-succeeds": func(t *testing.T, o *opUnderTest) {
		t.Helper()
		verifier := oauth2.GenerateVerifier()
		p := o.br.post("/oauth/authorize", o.address(verifier))
		o.exchange(t, o.br.submit(p, "amara", goodPassword), verifier)
	},
	"oidcc-request-uri-unsigned-supported-correctly-or-rejected-as-unsupported": func(t *testing.T, o *opUnderTest) {
		t.Helper()
		o.refused(t, "request_uri_not_supported", "request_uri", "https://app.test/request.jwt")
		require.Equal(t, false, o.discovered(t)["request_uri_parameter_supported"], "Discovery, 3: left out it would mean yes")
	},
	"oidcc-unsigned-request-object-supported-correctly-or-rejected-as-unsupported": func(t *testing.T, o *opUnderTest) {
		t.Helper()
		o.refused(t, "request_not_supported", "request", "eyJhbGciOiJub25lIn0.e30.")
	},
	"oidcc-ensure-request-object-with-redirect-uri": func(t *testing.T, o *opUnderTest) {
		t.Helper()
		o.refused(t, "request_not_supported", "request", "eyJhbGciOiJub25lIn0.eyJyZWRpcmVjdF91cmkiOiJodHRwczovL2FwcC50ZXN0LyJ9.")
	},
	"oidcc-discovery-endpoint-verification": func(t *testing.T, o *opUnderTest) {
		t.Helper()
		named := o.discovered(t)
		require.Equal(t, o.server.URL, named["issuer"])
		for _, endpoint := range []string{"authorization_endpoint", "token_endpoint", "userinfo_endpoint", "jwks_uri", "revocation_endpoint", "introspection_endpoint", "end_session_endpoint"} {
			address, _ := named[endpoint].(string)
			require.True(t, strings.HasPrefix(address, "https://"), endpoint)
		}
		for name, wanted := range map[string]string{
			"response_types_supported": "code", "subject_types_supported": "public", "scopes_supported": "openid", "claims_supported": "sub",
			"grant_types_supported": "authorization_code", "response_modes_supported": "query", "token_endpoint_auth_methods_supported": "client_secret_basic",
		} {
			require.Contains(t, named[name], wanted, name)
		}
		require.NotContains(t, named["response_types_supported"], "token", "RFC 9700, 2.1.2")
		require.NotContains(t, named["grant_types_supported"], "password", "RFC 9700, 2.4")
		keys := o.br.get(o.server.URL + "/oauth/keys")
		require.Contains(t, keys.body, `"kid"`)
		for _, private := range []string{`"d"`, `"p"`, `"q"`, `"k"`} {
			require.NotContains(t, keys.body, private+":", "a private part")
		}
	},
}

// signOut begins one with those parameters, from another site, and says yes where it is asked.
func (o *opUnderTest) signOut(t *testing.T, parameters ...string) page {
	t.Helper()
	v := url.Values{}
	for i := 0; i+1 < len(parameters); i += 2 {
		v.Set(parameters[i], parameters[i+1])
	}
	p := o.br.getFrom("cross-site", o.server.URL+"/oauth/end-session?"+v.Encode())
	if strings.Contains(p.body, "Sign out of Serein?") {
		p = o.br.post("/oauth/end-session", p.fields())
	}
	return p
}

func (o *opUnderTest) signedOut(t *testing.T, p page, at string) {
	t.Helper()
	if at == "" {
		require.Equal(t, http.StatusOK, p.status)
		require.Contains(t, p.body, "You’re signed out")
	} else {
		require.Equal(t, at, p.header.Get("Location"))
	}
	o.refused(t, "login_required", "prompt", "none")
}

// stays is a sign-out that is refused: a page says so, nobody is sent anywhere, and the session goes on.
func (o *opUnderTest) stays(t *testing.T, p page) {
	t.Helper()
	require.Equal(t, http.StatusBadRequest, p.status)
	require.Empty(t, p.header.Get("Location"))
	o.flow(t, "prompt", "none")
}

func (o *opUnderTest) hint(t *testing.T) string {
	t.Helper()
	token, _ := o.flow(t)
	hint, _ := token.Extra("id_token").(string)
	return hint
}

var logoutModules = map[string]func(*testing.T, *opUnderTest){
	"oidcc-rp-initiated-logout-discovery-endpoint-verification": func(t *testing.T, o *opUnderTest) {
		t.Helper()
		require.Equal(t, o.server.URL+"/oauth/end-session", o.discovered(t)["end_session_endpoint"])
	},
	"oidcc-rp-initiated-logout": func(t *testing.T, o *opUnderTest) {
		t.Helper()
		o.signedOut(t, o.signOut(t, "id_token_hint", o.hint(t), "post_logout_redirect_uri", afterSignOut, "state", "z"), afterSignOut+"?state=z")
	},
	"oidcc-rp-initiated-logout-bad-post-logout-redirect-uri": func(t *testing.T, o *opUnderTest) {
		t.Helper()
		o.stays(t, o.signOut(t, "id_token_hint", o.hint(t), "post_logout_redirect_uri", "https://evil.test/"))
	},
	"oidcc-rp-initiated-logout-modified-id-token-hint": func(t *testing.T, o *opUnderTest) {
		t.Helper()
		hint := o.hint(t)
		o.stays(t, o.signOut(t, "id_token_hint", hint[:len(hint)-5]+"AAAAA", "post_logout_redirect_uri", afterSignOut))
	},
	"oidcc-rp-initiated-logout-bad-id-token-hint": func(t *testing.T, o *opUnderTest) {
		t.Helper()
		o.flow(t)
		o.stays(t, o.signOut(t, "id_token_hint", "bad", "post_logout_redirect_uri", afterSignOut))
	},
	"oidcc-rp-initiated-logout-no-id-token-hint": func(t *testing.T, o *opUnderTest) {
		t.Helper()
		o.flow(t)
		o.signedOut(t, o.signOut(t, "post_logout_redirect_uri", afterSignOut), "")
	},
	"oidcc-rp-initiated-logout-no-params": func(t *testing.T, o *opUnderTest) {
		t.Helper()
		o.flow(t)
		o.signedOut(t, o.signOut(t), "")
	},
	"oidcc-rp-initiated-logout-no-post-logout-redirect-uri": func(t *testing.T, o *opUnderTest) {
		t.Helper()
		o.signedOut(t, o.signOut(t, "id_token_hint", o.hint(t)), "")
	},
	"oidcc-rp-initiated-logout-no-state": func(t *testing.T, o *opUnderTest) {
		t.Helper()
		o.signedOut(t, o.signOut(t, "id_token_hint", o.hint(t), "post_logout_redirect_uri", afterSignOut), afterSignOut)
	},
	"oidcc-rp-initiated-logout-only-state": func(t *testing.T, o *opUnderTest) {
		t.Helper()
		o.flow(t)
		o.signedOut(t, o.signOut(t, "state", "z"), "")
	},
	"oidcc-rp-initiated-logout-query-added-to-post-logout-redirect-uri": func(t *testing.T, o *opUnderTest) {
		t.Helper()
		o.stays(t, o.signOut(t, "id_token_hint", o.hint(t), "post_logout_redirect_uri", afterSignOut+"?extra=1"))
	},
	"oidcc-backchannel-logout-discovery-endpoint-verification": func(t *testing.T, o *opUnderTest) {
		t.Helper()
		require.Equal(t, []any{true, true}, []any{o.discovered(t)["backchannel_logout_supported"], o.discovered(t)["backchannel_logout_session_supported"]})
	},
	"oidcc-backchannel-rp-initiated-logout": func(t *testing.T, o *opUnderTest) {
		t.Helper()
		token, id := o.flow(t)
		hint, _ := token.Extra("id_token").(string)
		o.signedOut(t, o.signOut(t, "id_token_hint", hint, "post_logout_redirect_uri", afterSignOut), afterSignOut)
		require.Eventually(t, func() bool {
			claims := o.logoutToken("gateway", o.heard.next(t))
			return claims["sid"] == id.SID && claims["sub"] == id.Subject
		}, testkit.Patience, time.Millisecond, "and those of the sign-outs before it")
	},
}
