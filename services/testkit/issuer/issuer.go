// Package issuer is a fake OpenID issuer for tests: it signs in the user that a test names, at once,
// and a test can make it lie in every way that a client must notice. Test only.
package issuer

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"sync"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/stretchr/testify/require"
)

// The client that the provider knows.
const (
	ClientID     = "serein-gateway"
	ClientSecret = "the gateway's secret at the fake provider"
)

// KeyID names the provider's RSA key.
const KeyID = "rsa-1"

// ecKeyID names its key of ES256.
const ecKeyID = "ec-1"

// Issuer is a running issuer. Change its fields only through With.
type Issuer struct {
	URL string
	now func() time.Time
	rsa *rsa.PrivateKey
	ec  *ecdsa.PrivateKey

	mu       sync.Mutex
	behave   Behaviour
	codes    map[string]grant
	refresh  map[string]grant
	tokens   int
	renewals int
	revoked  []string
	fetches  int
	asked    []url.Values
}

// Behaviour is what the provider does; the zero value, with a Subject, is honest.
type Behaviour struct {
	Subject string
	// Claims are added to the ID token, or removed from it where nil.
	Claims map[string]any
	// Nonce replaces the attempt's.
	Nonce string
	// Sign replaces the ID token's signature.
	Sign func(i *Issuer, claims []byte) string
	// UserInfo is what the endpoint answers; nil: what the ID token says.
	UserInfo map[string]any
	// AccessLife is how long access tokens last; 0: 5 minutes.
	AccessLife time.Duration
	// Answer changes the redirect back.
	Answer func(url.Values)
	// Unnamed: the redirect back names no issuer, and discovery does not promise it (RFC 9207 is not offered).
	Unnamed bool
	// TokenStatus, where not 0, is all that the token endpoint answers, with TokenError.
	TokenStatus int
	TokenError  string
	// NoIDToken leaves it out of token answers.
	NoIDToken bool
	// Hold makes the token endpoint wait until the channel is closed.
	Hold chan struct{}
}

type grant struct {
	subject, nonce, challenge, redirect string
}

var rsaKey = sync.OnceValues(func() (*rsa.PrivateKey, error) { return rsa.GenerateKey(rand.Reader, 2048) })

// Start runs an issuer until the test ends.
func Start(tb testing.TB, now func() time.Time) *Issuer {
	tb.Helper()
	key, err := rsaKey()
	require.NoError(tb, err)
	ec, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(tb, err)
	i := &Issuer{now: now, rsa: key, ec: ec, codes: map[string]grant{}, refresh: map[string]grant{}}
	i.behave.Subject = "0192f0c1-0000-7000-8000-00000000000a"
	mux := http.NewServeMux()
	mux.HandleFunc("GET /.well-known/openid-configuration", i.discovery)
	mux.HandleFunc("GET /authorize", i.authorize)
	mux.HandleFunc("POST /token", i.token)
	mux.HandleFunc("GET /keys", i.keys)
	mux.HandleFunc("GET /userinfo", i.userInfo)
	mux.HandleFunc("POST /revoke", i.revoke)
	server := httptest.NewServer(mux)
	tb.Cleanup(server.Close)
	i.URL = server.URL
	return i
}

// With changes the behaviour.
func (i *Issuer) With(change func(*Behaviour)) {
	i.mu.Lock()
	defer i.mu.Unlock()
	change(&i.behave)
}

// TokenRequests is how often the token endpoint was asked; Renewals how often with a refresh token.
func (i *Issuer) TokenRequests() (all, renewals int) {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.tokens, i.renewals
}

// KeyFetches is how often the key set was fetched.
func (i *Issuer) KeyFetches() int {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.fetches
}

// Revoked are the tokens that clients gave back.
func (i *Issuer) Revoked() []string {
	i.mu.Lock()
	defer i.mu.Unlock()
	return append([]string(nil), i.revoked...)
}

// Asked are the queries that the authorization endpoint saw.
func (i *Issuer) Asked() []url.Values {
	i.mu.Lock()
	defer i.mu.Unlock()
	return append([]url.Values(nil), i.asked...)
}

// LiveRefreshTokens is how many refresh tokens still work.
func (i *Issuer) LiveRefreshTokens() int {
	i.mu.Lock()
	defer i.mu.Unlock()
	return len(i.refresh)
}

func (i *Issuer) discovery(w http.ResponseWriter, _ *http.Request) {
	i.mu.Lock()
	named := !i.behave.Unnamed
	i.mu.Unlock()
	reply(w, http.StatusOK, map[string]any{
		"issuer": i.URL, "authorization_endpoint": i.URL + "/authorize", "token_endpoint": i.URL + "/token",
		"jwks_uri": i.URL + "/keys", "userinfo_endpoint": i.URL + "/userinfo",
		"revocation_endpoint": i.URL + "/revoke", "end_session_endpoint": i.URL + "/end",
		"id_token_signing_alg_values_supported": []string{"RS256", "ES256", "none", "HS256"}, "authorization_response_iss_parameter_supported": named,
	})
}

func (i *Issuer) authorize(w http.ResponseWriter, r *http.Request) {
	i.mu.Lock()
	defer i.mu.Unlock()
	q := r.URL.Query()
	i.asked = append(i.asked, q)
	if q.Get("client_id") != ClientID || q.Get("code_challenge_method") != "S256" || q.Get("state") == "" || q.Get("nonce") == "" {
		http.Error(w, "bad request", http.StatusBadRequest)
		return
	}
	code := rand.Text()
	i.codes[code] = grant{subject: i.behave.Subject, nonce: q.Get("nonce"), challenge: q.Get("code_challenge"), redirect: q.Get("redirect_uri")}
	answer := url.Values{"code": {code}, "state": {q.Get("state")}}
	if !i.behave.Unnamed {
		answer.Set("iss", i.URL)
	}
	if i.behave.Answer != nil {
		i.behave.Answer(answer)
	}
	http.Redirect(w, r, q.Get("redirect_uri")+"?"+answer.Encode(), http.StatusSeeOther) //nolint:gosec // a provider of tests, and the gateway chooses the address
}

func (i *Issuer) token(w http.ResponseWriter, r *http.Request) {
	i.mu.Lock()
	i.tokens++
	if r.PostFormValue("grant_type") == "refresh_token" {
		i.renewals++
	}
	hold := i.behave.Hold
	i.mu.Unlock()
	if hold != nil {
		<-hold
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	id, secret, _ := r.BasicAuth()
	id, _ = url.QueryUnescape(id)
	secret, _ = url.QueryUnescape(secret)
	switch g, ok := i.redeem(r); {
	case i.behave.TokenStatus != 0:
		reply(w, i.behave.TokenStatus, map[string]any{"error": i.behave.TokenError})
	case id != ClientID || secret != ClientSecret:
		reply(w, http.StatusUnauthorized, map[string]any{"error": "invalid_client"})
	case !ok:
		reply(w, http.StatusBadRequest, map[string]any{"error": "invalid_grant"})
	default:
		i.answer(w, g)
	}
}

// redeem finds what a code or refresh token stands for, and uses it up.
func (i *Issuer) redeem(r *http.Request) (grant, bool) {
	if r.PostFormValue("grant_type") == "refresh_token" {
		g, ok := i.refresh[r.PostFormValue("refresh_token")]
		if i.behave.TokenStatus == 0 {
			delete(i.refresh, r.PostFormValue("refresh_token"))
		}
		g.nonce = ""
		return g, ok
	}
	g, ok := i.codes[r.PostFormValue("code")]
	delete(i.codes, r.PostFormValue("code"))
	sum := sha256.Sum256([]byte(r.PostFormValue("code_verifier")))
	ok = ok && base64.RawURLEncoding.EncodeToString(sum[:]) == g.challenge && r.PostFormValue("redirect_uri") == g.redirect
	return g, ok
}

func (i *Issuer) answer(w http.ResponseWriter, g grant) {
	life := i.behave.AccessLife
	if life == 0 {
		life = 5 * time.Minute
	}
	access, refresh := "access-"+rand.Text(), "refresh-"+rand.Text()
	i.refresh[refresh] = g
	out := map[string]any{
		"access_token": access, "token_type": "Bearer", "refresh_token": refresh, "expires_in": int(life.Seconds()),
	}
	if !i.behave.NoIDToken {
		out["id_token"] = i.idToken(g)
	}
	reply(w, http.StatusOK, out)
}

func (i *Issuer) idToken(g grant) string {
	claims := i.claims(g)
	payload, _ := json.Marshal(claims)
	if i.behave.Sign != nil {
		return i.behave.Sign(i, payload)
	}
	return i.SignRSA(payload)
}

func (i *Issuer) claims(g grant) map[string]any {
	claims := map[string]any{
		"iss": i.URL, "sub": g.subject, "aud": ClientID, "exp": i.now().Add(10 * time.Minute).Unix(), "iat": i.now().Unix(),
		"nonce": g.nonce, "preferred_username": "ada", "given_name": "Ada", "family_name": "Lovelace", "email": "ada@example.org",
	}
	if g.nonce == "" {
		delete(claims, "nonce")
	}
	if i.behave.Nonce != "" {
		claims["nonce"] = i.behave.Nonce
	}
	maps.Copy(claims, i.behave.Claims)
	for name, value := range claims {
		if value == nil {
			delete(claims, name)
		}
	}
	return claims
}

// SignRSA signs honestly.
func (i *Issuer) SignRSA(payload []byte) string {
	return i.SignWith(payload, jose.SigningKey{Algorithm: jose.RS256, Key: jose.JSONWebKey{Key: i.rsa, KeyID: KeyID}})
}

// SignTyped signs as SignRSA does, for another type of token.
func (i *Issuer) SignTyped(kind string, payload []byte) string {
	return sign(payload, kind, jose.SigningKey{Algorithm: jose.RS256, Key: jose.JSONWebKey{Key: i.rsa, KeyID: KeyID}})
}

// SignWith signs with any key.
func (i *Issuer) SignWith(payload []byte, key jose.SigningKey) string {
	return sign(payload, "JWT", key)
}

func sign(payload []byte, kind string, key jose.SigningKey) string {
	signer, err := jose.NewSigner(key, (&jose.SignerOptions{}).WithType(jose.ContentType(kind)))
	if err != nil {
		return "unsigned"
	}
	signed, err := signer.Sign(payload)
	if err != nil {
		return "unsigned"
	}
	token, _ := signed.CompactSerialize()
	return token
}

func (i *Issuer) keys(w http.ResponseWriter, _ *http.Request) {
	i.mu.Lock()
	i.fetches++
	i.mu.Unlock()
	reply(w, http.StatusOK, jose.JSONWebKeySet{Keys: []jose.JSONWebKey{
		{Key: &i.rsa.PublicKey, KeyID: KeyID, Algorithm: "RS256", Use: "sig"},
		{Key: &i.ec.PublicKey, KeyID: ecKeyID, Algorithm: "ES256", Use: "sig"},
	}})
}

func (i *Issuer) userInfo(w http.ResponseWriter, _ *http.Request) {
	i.mu.Lock()
	defer i.mu.Unlock()
	info := i.behave.UserInfo
	if info == nil {
		info = i.claims(grant{subject: i.behave.Subject})
	}
	reply(w, http.StatusOK, info)
}

func (i *Issuer) revoke(w http.ResponseWriter, r *http.Request) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.revoked = append(i.revoked, r.PostFormValue("token"))
	delete(i.refresh, r.PostFormValue("token"))
	w.WriteHeader(http.StatusOK)
}

func reply(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v)
}
