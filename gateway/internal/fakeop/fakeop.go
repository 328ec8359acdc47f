// Package fakeop is an OpenID provider for tests: it signs in whoever it is told to, at once,
// and can be made to lie in every way that a client must notice. Test only.
package fakeop

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

// Provider is a running provider. Change its fields only through With.
type Provider struct {
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
	Sign func(p *Provider, claims []byte) string
	// UserInfo is what the endpoint answers; nil: what the ID token says.
	UserInfo map[string]any
	// AccessLife is how long access tokens last; 0: 5 minutes.
	AccessLife time.Duration
	// Answer changes the redirect back.
	Answer func(url.Values)
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

// Start runs a provider until the test ends.
func Start(tb testing.TB, now func() time.Time) *Provider {
	tb.Helper()
	key, err := rsaKey()
	require.NoError(tb, err)
	ec, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(tb, err)
	p := &Provider{now: now, rsa: key, ec: ec, codes: map[string]grant{}, refresh: map[string]grant{}}
	p.behave.Subject = "0192f0c1-0000-7000-8000-00000000000a"
	mux := http.NewServeMux()
	mux.HandleFunc("GET /.well-known/openid-configuration", p.discovery)
	mux.HandleFunc("GET /authorize", p.authorize)
	mux.HandleFunc("POST /token", p.token)
	mux.HandleFunc("GET /keys", p.keys)
	mux.HandleFunc("GET /userinfo", p.userInfo)
	mux.HandleFunc("POST /revoke", p.revoke)
	server := httptest.NewServer(mux)
	tb.Cleanup(server.Close)
	p.URL = server.URL
	return p
}

// With changes the behaviour.
func (p *Provider) With(change func(*Behaviour)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	change(&p.behave)
}

// TokenRequests is how often the token endpoint was asked; Renewals how often with a refresh token.
func (p *Provider) TokenRequests() (all, renewals int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.tokens, p.renewals
}

// Revoked are the tokens that clients gave back.
func (p *Provider) Revoked() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]string(nil), p.revoked...)
}

// Asked are the queries that the authorization endpoint saw.
func (p *Provider) Asked() []url.Values {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]url.Values(nil), p.asked...)
}

// LiveRefreshTokens is how many refresh tokens still work.
func (p *Provider) LiveRefreshTokens() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.refresh)
}

func (p *Provider) discovery(w http.ResponseWriter, _ *http.Request) {
	reply(w, http.StatusOK, map[string]any{
		"issuer": p.URL, "authorization_endpoint": p.URL + "/authorize", "token_endpoint": p.URL + "/token",
		"jwks_uri": p.URL + "/keys", "userinfo_endpoint": p.URL + "/userinfo",
		"revocation_endpoint": p.URL + "/revoke", "end_session_endpoint": p.URL + "/end",
		"id_token_signing_alg_values_supported": []string{"RS256", "ES256", "none", "HS256"},
	})
}

func (p *Provider) authorize(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	defer p.mu.Unlock()
	q := r.URL.Query()
	p.asked = append(p.asked, q)
	if q.Get("client_id") != ClientID || q.Get("code_challenge_method") != "S256" || q.Get("state") == "" || q.Get("nonce") == "" {
		http.Error(w, "bad request", http.StatusBadRequest)
		return
	}
	code := rand.Text()
	p.codes[code] = grant{subject: p.behave.Subject, nonce: q.Get("nonce"), challenge: q.Get("code_challenge"), redirect: q.Get("redirect_uri")}
	answer := url.Values{"code": {code}, "state": {q.Get("state")}, "iss": {p.URL}}
	if p.behave.Answer != nil {
		p.behave.Answer(answer)
	}
	http.Redirect(w, r, q.Get("redirect_uri")+"?"+answer.Encode(), http.StatusSeeOther) //nolint:gosec // a provider of tests, and the gateway chooses the address
}

func (p *Provider) token(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	p.tokens++
	if r.PostFormValue("grant_type") == "refresh_token" {
		p.renewals++
	}
	hold := p.behave.Hold
	p.mu.Unlock()
	if hold != nil {
		<-hold
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	id, secret, _ := r.BasicAuth()
	id, _ = url.QueryUnescape(id)
	secret, _ = url.QueryUnescape(secret)
	switch g, ok := p.redeem(r); {
	case p.behave.TokenStatus != 0:
		reply(w, p.behave.TokenStatus, map[string]any{"error": p.behave.TokenError})
	case id != ClientID || secret != ClientSecret:
		reply(w, http.StatusUnauthorized, map[string]any{"error": "invalid_client"})
	case !ok:
		reply(w, http.StatusBadRequest, map[string]any{"error": "invalid_grant"})
	default:
		p.answer(w, g)
	}
}

// redeem finds what a code or refresh token stands for, and uses it up.
func (p *Provider) redeem(r *http.Request) (grant, bool) {
	if r.PostFormValue("grant_type") == "refresh_token" {
		g, ok := p.refresh[r.PostFormValue("refresh_token")]
		if p.behave.TokenStatus == 0 {
			delete(p.refresh, r.PostFormValue("refresh_token"))
		}
		g.nonce = ""
		return g, ok
	}
	g, ok := p.codes[r.PostFormValue("code")]
	delete(p.codes, r.PostFormValue("code"))
	sum := sha256.Sum256([]byte(r.PostFormValue("code_verifier")))
	ok = ok && base64.RawURLEncoding.EncodeToString(sum[:]) == g.challenge && r.PostFormValue("redirect_uri") == g.redirect
	return g, ok
}

func (p *Provider) answer(w http.ResponseWriter, g grant) {
	life := p.behave.AccessLife
	if life == 0 {
		life = 5 * time.Minute
	}
	access, refresh := "access-"+rand.Text(), "refresh-"+rand.Text()
	p.refresh[refresh] = g
	out := map[string]any{
		"access_token": access, "token_type": "Bearer", "refresh_token": refresh, "expires_in": int(life.Seconds()),
	}
	if !p.behave.NoIDToken {
		out["id_token"] = p.idToken(g)
	}
	reply(w, http.StatusOK, out)
}

func (p *Provider) idToken(g grant) string {
	claims := p.claims(g)
	payload, _ := json.Marshal(claims)
	if p.behave.Sign != nil {
		return p.behave.Sign(p, payload)
	}
	return p.SignRSA(payload)
}

func (p *Provider) claims(g grant) map[string]any {
	claims := map[string]any{
		"iss": p.URL, "sub": g.subject, "aud": ClientID, "exp": p.now().Add(10 * time.Minute).Unix(), "iat": p.now().Unix(),
		"nonce": g.nonce, "preferred_username": "ada", "given_name": "Ada", "family_name": "Lovelace", "email": "ada@example.org",
	}
	if g.nonce == "" {
		delete(claims, "nonce")
	}
	if p.behave.Nonce != "" {
		claims["nonce"] = p.behave.Nonce
	}
	maps.Copy(claims, p.behave.Claims)
	for name, value := range claims {
		if value == nil {
			delete(claims, name)
		}
	}
	return claims
}

// SignRSA signs honestly.
func (p *Provider) SignRSA(payload []byte) string {
	return p.SignWith(payload, jose.SigningKey{Algorithm: jose.RS256, Key: jose.JSONWebKey{Key: p.rsa, KeyID: KeyID}})
}

// SignWith signs with any key.
func (p *Provider) SignWith(payload []byte, key jose.SigningKey) string {
	signer, err := jose.NewSigner(key, (&jose.SignerOptions{}).WithType("JWT"))
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

func (p *Provider) keys(w http.ResponseWriter, _ *http.Request) {
	reply(w, http.StatusOK, jose.JSONWebKeySet{Keys: []jose.JSONWebKey{
		{Key: &p.rsa.PublicKey, KeyID: KeyID, Algorithm: "RS256", Use: "sig"},
		{Key: &p.ec.PublicKey, KeyID: "ec-1", Algorithm: "ES256", Use: "sig"},
	}})
}

func (p *Provider) userInfo(w http.ResponseWriter, _ *http.Request) {
	p.mu.Lock()
	defer p.mu.Unlock()
	info := p.behave.UserInfo
	if info == nil {
		info = p.claims(grant{subject: p.behave.Subject})
	}
	reply(w, http.StatusOK, info)
}

func (p *Provider) revoke(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.revoked = append(p.revoked, r.PostFormValue("token"))
	delete(p.refresh, r.PostFormValue("token"))
	w.WriteHeader(http.StatusOK)
}

func reply(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v)
}
