package auth_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"serein.app/services/platform/auth"
	"serein.app/services/platform/errs"
	"serein.app/services/testkit"
	"serein.app/services/testkit/issuer"
)

// accounts is an issuer, and the verifier of a service that trusts it.
func accounts(t *testing.T) (*issuer.Issuer, *auth.Verifier) {
	t.Helper()
	i := issuer.Start(t, time.Now)
	cfg := testkit.Auth(t, "billing")
	cfg.Issuer = i.URL
	verifier, err := auth.NewVerifier("billing", cfg)
	require.NoError(t, err)
	return i, verifier
}

// accessToken is one that the issuer gave to a client; change adds to or takes from its claims.
func accessToken(t *testing.T, i *issuer.Issuer, change map[string]any) string {
	t.Helper()
	claims := map[string]any{
		"iss": i.URL, "aud": auth.ServiceAudience, "sub": "reports", "client_id": "reports", "scope": "a.read b.read",
		"iat": time.Now().Unix(), "exp": time.Now().Add(time.Minute).Unix(),
	}
	for name, value := range change {
		claims[name] = value
		if value == nil {
			delete(claims, name)
		}
	}
	payload, err := json.Marshal(claims)
	require.NoError(t, err)
	return i.SignRSA(payload)
}

func TestAnAccessTokenOfTheIssuerGivesItsScopesAndNothingElse(t *testing.T) {
	t.Parallel()
	i, verifier := accounts(t)
	for name, change := range map[string]map[string]any{
		"plain":                   {},
		"claims of an admin":      {"adm": true, "admin": true, "ent": []string{"library"}},
		"claims of a whole proof": {"adm": true, "Admin": true, "Subject": map[string]any{"Admin": true}},
	} {
		caller, err := verifier.Verify(t.Context(), "Bearer "+accessToken(t, i, change))
		require.NoError(t, err, name)
		require.Equal(t, auth.Caller{Service: "client:reports", Scopes: []string{"a.read", "b.read"}}, caller, name)
		require.ErrorIs(t, auth.Rule{Services: []string{"gateway", "reports"}, Admin: true}.Check(caller), auth.ErrForbidden, name)
	}
}

func TestNoAccessTokenStandsForAService(t *testing.T) {
	t.Parallel()
	i, verifier := accounts(t)
	for name, change := range map[string]map[string]any{
		"from the gateway":     {"iss": "gateway", "aud": "billing", "sub": "u1", "adm": true},
		"to this service":      {"aud": "billing"},
		"to another":           {"aud": "somebody"},
		"of no client":         {"client_id": nil},
		"of a member":          {"sub": "0192f0c1-0000-7000-8000-00000000000a"},
		"of no subject":        {"sub": nil},
		"expired":              {"exp": time.Now().Add(-time.Minute).Unix()},
		"of another issuer":    {"iss": "https://evil.example"},
		"with a gateway's iss": {"iss": "gateway"},
	} {
		_, err := verifier.Verify(t.Context(), "Bearer "+accessToken(t, i, change))
		require.ErrorIs(t, err, auth.ErrUnauthenticated, name)
	}
}

func TestAnAccessTokenIsProvedWithEitherAlgorithmOfTheIssuer(t *testing.T) {
	t.Parallel()
	i, verifier := accounts(t)
	payload, err := base64.RawURLEncoding.DecodeString(strings.Split(accessToken(t, i, nil), ".")[1])
	require.NoError(t, err)
	for name, token := range map[string]string{"RS256": i.SignRSA(payload), "ES256": issuer.SignedWithES256(i, payload)} {
		caller, err := verifier.Verify(t.Context(), "Bearer "+token)
		require.NoError(t, err, name)
		require.Equal(t, "client:reports", caller.Service, name)
	}
}

func TestAnUnsignedTokenMakesNobodyAnAdmin(t *testing.T) {
	t.Parallel()
	i, verifier := accounts(t)
	payloads := map[string]map[string]any{
		"as a service": {"iss": "gateway", "aud": "billing", "sub": "u1", "given_name": "Ada", "adm": true, "exp": time.Now().Add(time.Minute).Unix()},
		"as an account": {
			"iss": i.URL, "aud": auth.ServiceAudience, "sub": "reports", "client_id": "reports", "given_name": "Ada", "adm": true, "exp": time.Now().Add(time.Minute).Unix(),
		},
	}
	forge := map[string]func(*issuer.Issuer, []byte) string{
		"unsigned": issuer.Unsigned, "with the public key": issuer.SignedWithPublicKey, "with the client secret": issuer.SignedWithClientSecret,
		"by another key": issuer.SignedByAnotherKey, "with another key's name": issuer.SignedWithUnknownKeyID, "tampered": issuer.Tampered,
		"with the public EC key": issuer.SignedWithPublicECKey, "RS256 naming the EC key": issuer.RS256NamingTheECKey, "ES256 naming the RSA key": issuer.ES256NamingTheRSAKey,
	}
	for who, claims := range payloads {
		payload, err := json.Marshal(claims)
		require.NoError(t, err)
		for how, sign := range forge {
			_, err := verifier.Verify(t.Context(), "Bearer "+sign(i, payload))
			require.ErrorIs(t, err, auth.ErrUnauthenticated, "%s %s", who, how)
		}
	}
}

// Anybody can send a token that names a key of their own.
func TestForgedTokensDoNotMakeAServiceFetchTheKeysEachTime(t *testing.T) {
	t.Parallel()
	i, verifier := accounts(t)
	_, err := verifier.Verify(t.Context(), "Bearer "+accessToken(t, i, nil))
	require.NoError(t, err)
	began := time.Now()
	for n := range 50 {
		payload := []byte(`{"iss":"` + i.URL + `","aud":"serein","jti":"` + strings.Repeat("x", n) + `"}`)
		for _, forged := range []string{issuer.SignedWithUnknownKeyID(i, payload), issuer.SignedByAnotherKey(i, payload)} {
			_, err := verifier.Verify(t.Context(), "Bearer "+forged)
			require.ErrorIs(t, err, auth.ErrUnauthenticated)
		}
	}
	const between = 5 * time.Second // two fetches
	require.LessOrEqual(t, i.KeyFetches(), 2+int(time.Since(began)/between))
	_, err = verifier.Verify(t.Context(), "Bearer "+accessToken(t, i, map[string]any{"jti": "another"}))
	require.NoError(t, err, "and who is good is still proved")
}

// An issuer that accepts and never answers holds up nobody for longer than they want to wait.
func TestAnIssuerThatHangsHoldsNobodyUp(t *testing.T) {
	t.Parallel()
	var asked atomic.Int64
	release := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked.Add(1); <-release }))
	t.Cleanup(server.Close)
	t.Cleanup(func() { close(release) })
	cfg := testkit.Auth(t, "billing")
	cfg.Issuer = server.URL
	forged := issuer.Unsigned(nil, []byte(`{"iss":"`+server.URL+`"}`))
	token := strings.Replace(forged, strings.Split(forged, ".")[0], "eyJhbGciOiJSUzI1NiJ9", 1) + "AAAA"
	var verifier *auth.Verifier
	require.Eventually(t, func() bool {
		asked.Store(0)
		var err error
		verifier, err = auth.NewVerifier("billing", cfg)
		require.NoError(t, err)
		// The request to the issuer runs on until its own deadline; then this goroutine gets the error.
		question := make(chan struct{})
		go func() {
			defer close(question)
			_, _ = verifier.Verify(t.Context(), "Bearer "+token)
		}()
		var waiting sync.WaitGroup
		for range 20 {
			waiting.Go(func() {
				ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
				defer cancel()
				_, err := verifier.Verify(ctx, "Bearer "+token)
				require.Equal(t, errs.Unavailable, errs.KindOf(err))
			})
		}
		waiting.Wait()
		select {
		case <-question:
			return false // so did those who waited, or the machine is slow
		default:
		}
		require.LessOrEqual(t, asked.Load(), int64(1))
		return true
	}, testkit.Patience, time.Millisecond, "nobody waits for another's question")

	// Who is proved by a key needs no issuer.
	proof, err := testkit.Signer(t, "gateway").Token("billing", auth.Subject{UID: "u1"})
	require.NoError(t, err)
	_, err = verifier.Verify(t.Context(), "Bearer "+proof)
	require.NoError(t, err)
}

func TestAnIssuerThatIsAwayIsNoAnswerAboutAToken(t *testing.T) {
	t.Parallel()
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	url := "http://" + listener.Addr().String()
	require.NoError(t, listener.Close())
	cfg := testkit.Auth(t, "billing")
	cfg.Issuer = url
	verifier, err := auth.NewVerifier("billing", cfg)
	require.NoError(t, err)
	i := issuer.Start(t, time.Now)
	token := accessToken(t, i, map[string]any{"iss": url})
	_, err = verifier.Verify(t.Context(), "Bearer "+token)
	require.Equal(t, errs.Unavailable, errs.KindOf(err), "this is no answer about the token")
}
