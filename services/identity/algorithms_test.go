package identity_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"net/http"
	"net/url"
	"strings"
	"testing"

	jose "github.com/go-jose/go-jose/v4"
	"github.com/stretchr/testify/require"
	"golang.org/x/oauth2"

	"serein.app/services/identity/internal/keys"
)

// algorithmsOf are those of a client's tokens: access token and ID token.
func algorithmsOf(t *testing.T, token *oauth2.Token) []string {
	t.Helper()
	id, _ := token.Extra("id_token").(string)
	return []string{headerOf(t, token.AccessToken)["alg"], headerOf(t, id)["alg"]}
}

func TestAClientsTokensAreSignedAsItIsRegistered(t *testing.T) {
	t.Parallel()
	b, gateway := setup(t).serve(), hears(t)
	b.member("amara")
	client, br := b.rp(), b.browser()
	with := func(algorithm keys.Algorithm) {
		b.serveWith(func(c []clientConfig) { c[0].SigningAlgorithm, c[0].BackChannelLogoutURI = algorithm, gateway.URL })
	}
	with("")
	first := br.signIn(client, "amara")
	require.Equal(t, []string{"RS256", "RS256"}, algorithmsOf(t, first), "the default of the standard")
	with(keys.ES256)
	renewed, err := client.refresh(first.RefreshToken)
	require.NoError(t, err)
	require.Equal(t, []string{"ES256", "ES256"}, algorithmsOf(t, renewed), "from the next token on")
	claims := client.verify(t, renewed)
	for _, token := range []*oauth2.Token{first, renewed} {
		_, err := client.userinfo(token)
		require.NoError(t, err, "both are good")
		require.Equal(t, true, b.introspect("gateway", gatewaySecret, token.AccessToken)["active"])
	}
	old, _ := first.Extra("id_token").(string)
	p := br.getFrom("cross-site", b.server.URL+"/oauth/end-session?"+url.Values{"id_token_hint": {old}, "post_logout_redirect_uri": {afterSignOut}}.Encode())
	require.Equal(t, afterSignOut, p.header.Get("Location"), "an ID token of before is a hint all the same")
	told := gateway.next(t)
	require.Equal(t, "ES256", headerOf(t, told.PostForm.Get("logout_token"))["alg"], "Back-Channel Logout 1.0, 2.6")
	require.Equal(t, claims.SID, b.logoutToken("gateway", told)["sid"])
}

func TestAServiceAccountsTokenIsSignedAsItIsRegistered(t *testing.T) {
	t.Parallel()
	b := setup(t).serve()
	for algorithm, want := range map[keys.Algorithm]string{"": "RS256", keys.RS256: "RS256", keys.ES256: "ES256"} {
		b.serveWith(func(c []clientConfig) { c[3].SigningAlgorithm = algorithm })
		p := b.clientPost("/oauth/token", "reporter", serviceSecret, url.Values{"grant_type": {"client_credentials"}})
		var answer struct {
			Token string `json:"access_token"`
		}
		require.NoError(t, json.Unmarshal([]byte(p.body), &answer))
		require.Equal(t, want, headerOf(t, answer.Token)["alg"])
		require.Equal(t, true, b.introspect("reporter", serviceSecret, answer.Token)["active"])
	}
}

func TestDiscoveryNamesBothAlgorithmsAndAKeyOfEach(t *testing.T) {
	t.Parallel()
	b := setup(t).serve()
	var named struct {
		Algorithms []string `json:"id_token_signing_alg_values_supported"`
	}
	require.NoError(t, json.Unmarshal([]byte(b.browser().get(b.server.URL+"/.well-known/openid-configuration").body), &named))
	require.Equal(t, []string{"RS256", "ES256"}, named.Algorithms)
	var set jose.JSONWebKeySet
	require.NoError(t, json.Unmarshal([]byte(b.browser().get(b.server.URL+"/oauth/keys").body), &set))
	var algorithms []string
	for _, key := range set.Keys {
		require.True(t, key.IsPublic())
		require.Equal(t, "sig", key.Use)
		require.NotEmpty(t, key.KeyID)
		algorithms = append(algorithms, key.Algorithm)
	}
	require.Equal(t, named.Algorithms, algorithms)
}

// forgers sign in every way that identity does not. Our RSA key could make PS256 and RS512 signatures too; identity makes none, so it
// must refuse them.
func (b *harness) forgers() map[string]func(payload []byte, kind string) string {
	b.t.Helper()
	ours := map[keys.Algorithm]keys.Signing{}
	for _, algorithm := range keys.Algorithms {
		key, err := b.ring.Signing(b.t.Context(), algorithm)
		require.NoError(b.t, err)
		ours[algorithm] = key
	}
	anRSAKey, err := rsa.GenerateKey(rand.Reader, 2048)
	require.NoError(b.t, err)
	anECKey, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(b.t, err)
	published := func(algorithm keys.Algorithm) []byte {
		der, err := x509.MarshalPKIXPublicKey(ours[algorithm].Key.Public())
		require.NoError(b.t, err)
		return pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der})
	}
	by := func(algorithm jose.SignatureAlgorithm, key any, names keys.Algorithm) func([]byte, string) string {
		return func(payload []byte, kind string) string {
			return b.signed(algorithm, jose.JSONWebKey{Key: key, KeyID: ours[names].ID}, payload, kind)
		}
	}
	header := func(fields string) func([]byte, string) string {
		return func(payload []byte, kind string) string {
			encode := base64.RawURLEncoding.EncodeToString
			return encode([]byte(`{`+fields+`,"typ":"`+kind+`"}`)) + "." + encode(payload) + "."
		}
	}
	return map[string]func([]byte, string) string{
		"none":                                       header(`"alg":"none"`),
		"none that names a key":                      header(`"alg":"none","kid":"` + ours[keys.ES256].ID + `"`),
		"RS256 that names the key of ES256":          by(jose.RS256, anRSAKey, keys.ES256),
		"ES256 that names the RSA key":               by(jose.ES256, anECKey, keys.RS256),
		"our RSA key under the name of that of EC":   by(jose.RS256, ours[keys.RS256].Key, keys.ES256),
		"our EC key under the name of that of RSA":   by(jose.ES256, ours[keys.ES256].Key, keys.RS256),
		"HS256 with the published RSA key":           by(jose.HS256, published(keys.RS256), keys.RS256),
		"HS256 with the published key of ES256":      by(jose.HS256, published(keys.ES256), keys.ES256),
		"HS256 with the client's secret":             by(jose.HS256, []byte(gatewaySecret), keys.RS256),
		"PS256 with our RSA key":                     by(jose.PS256, ours[keys.RS256].Key, keys.RS256),
		"RS512 with our RSA key":                     by(jose.RS512, ours[keys.RS256].Key, keys.RS256),
		"another RSA key under the name of ours":     by(jose.RS256, anRSAKey, keys.RS256),
		"another key of ES256 under the name of our": by(jose.ES256, anECKey, keys.ES256),
	}
}

func (b *harness) signed(algorithm jose.SignatureAlgorithm, key jose.JSONWebKey, payload []byte, kind string) string {
	b.t.Helper()
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: algorithm, Key: key}, (&jose.SignerOptions{}).WithType(jose.ContentType(kind)))
	require.NoError(b.t, err)
	made, err := signer.Sign(payload)
	require.NoError(b.t, err)
	token, err := made.CompactSerialize()
	require.NoError(b.t, err)
	return token
}

func TestNoTokenIsProvedByWhatItsHeaderSaysOfItself(t *testing.T) {
	t.Parallel()
	b := setup(t).serve()
	b.member("amara")
	client, br := b.rp(), b.browser()
	token := br.signIn(client, "amara")
	id, _ := token.Extra("id_token").(string)
	payload := func(token string) []byte {
		raw, err := base64.RawURLEncoding.DecodeString(strings.Split(token, ".")[1])
		require.NoError(t, err)
		return raw
	}
	hinted := func(hint string) string {
		parameters := url.Values{
			"client_id": {"gateway"}, "redirect_uri": {redirectURI}, "response_type": {"code"}, "scope": {"openid"}, "prompt": {"none"}, "id_token_hint": {hint},
			"code_challenge": {oauth2.S256ChallengeFromVerifier(oauth2.GenerateVerifier())}, "code_challenge_method": {"S256"},
		}
		return br.get(b.server.URL + "/oauth/authorize?" + parameters.Encode()).location(t).Query().Get("error")
	}
	access := func(token string) (status int, active any) {
		_, err := client.userinfo(&oauth2.Token{AccessToken: token})
		if status = http.StatusOK; err != nil {
			status = http.StatusUnauthorized
		}
		return status, b.introspect("gateway", gatewaySecret, token)["active"]
	}
	for _, algorithm := range keys.Algorithms { // what is refused below is refused for its signature alone
		key, err := b.ring.Signing(t.Context(), algorithm)
		require.NoError(t, err)
		ours := jose.JSONWebKey{Key: key.Key, KeyID: key.ID}
		status, active := access(b.signed(jose.SignatureAlgorithm(algorithm), ours, payload(token.AccessToken), "at+jwt"))
		require.Equal(t, []any{http.StatusOK, true}, []any{status, active}, algorithm)
		require.Empty(t, hinted(b.signed(jose.SignatureAlgorithm(algorithm), ours, payload(id), "JWT")), algorithm)
	}
	for name, forge := range b.forgers() {
		status, active := access(forge(payload(token.AccessToken), "at+jwt"))
		require.Equal(t, []any{http.StatusUnauthorized, false}, []any{status, active}, name)
		require.Equal(t, "login_required", hinted(forge(payload(id), "JWT")), name)
		p := br.getFrom("cross-site", b.server.URL+"/oauth/end-session?"+url.Values{"id_token_hint": {forge(payload(id), "JWT")}}.Encode())
		require.Equal(t, http.StatusBadRequest, p.status, name)
	}
	require.Empty(t, hinted(id), "and nobody was signed out")
}
