package auth

import (
	"context"
	"crypto/ed25519"
	"encoding/base64"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"serein.app/services/platform/config"
)

func key(b byte) config.Secret {
	return config.Secret(base64.StdEncoding.EncodeToString([]byte(strings.Repeat(string(rune(b)), ed25519.SeedSize))))
}

func pair(t *testing.T, audience string) (*Signer, *Verifier) {
	t.Helper()
	public, err := PublicKey(key('g'))
	require.NoError(t, err)
	signer, err := NewSigner("gateway", key('g'))
	require.NoError(t, err)
	verifier, err := NewVerifier(audience, Config{Peers: "gateway=" + public})
	require.NoError(t, err)
	return signer, verifier
}

func TestATokenNamesServiceAndMember(t *testing.T) {
	t.Parallel()
	signer, verifier := pair(t, "billing")
	token, err := signer.Token("billing", Subject{UID: "u1"})
	require.NoError(t, err)
	for range 2 { // the second answer comes from the cache
		caller, err := verifier.Verify(context.Background(), "Bearer "+token)
		require.NoError(t, err)
		require.Equal(t, Caller{Service: "gateway", Subject: Subject{UID: "u1"}}, caller)
	}
}

func TestReplacingAServiceKeyRefusesNoCallInFlight(t *testing.T) {
	t.Parallel()
	before, err := PublicKey(key('g'))
	require.NoError(t, err)
	after, err := PublicKey(key('h'))
	require.NoError(t, err)
	for peers, want := range map[string]struct{ old, fresh bool }{
		"gateway=" + before: {old: true},
		"gateway=" + before + ",mail=" + before + ",gateway=" + after: {old: true, fresh: true},
		"gateway=" + after: {fresh: true},
	} {
		cfg := Config{ServiceKey: key('b'), Peers: peers}
		require.NoError(t, cfg.Validate())
		verifier, err := NewVerifier("billing", cfg)
		require.NoError(t, err)
		for seed, good := range map[config.Secret]bool{key('g'): want.old, key('h'): want.fresh, key('x'): false} {
			signer, err := NewSigner("gateway", seed)
			require.NoError(t, err)
			token, err := signer.Token("billing", Subject{UID: "u1"})
			require.NoError(t, err)
			caller, err := verifier.Verify(t.Context(), "Bearer "+token)
			require.Equal(t, good, err == nil, "%s: %v", peers, err)
			if !good {
				require.ErrorIs(t, err, ErrUnauthenticated)
				continue
			}
			require.Equal(t, Caller{Service: "gateway", Subject: Subject{UID: "u1"}}, caller)
		}
	}
	require.Equal(t, []string{"gateway", "mail"}, Config{Peers: "gateway=" + before + ",mail=" + before + ",gateway=" + after}.PeerNames())
	require.Error(t, Config{ServiceKey: key('b'), Peers: "gateway=" + before + ",gateway=short"}.Validate(), "a second key is looked at as well")
}

func TestTokensAreRefused(t *testing.T) {
	t.Parallel()
	signer, verifier := pair(t, "billing")
	good, err := signer.Token("billing", Subject{UID: "u1"})
	require.NoError(t, err)
	elsewhere, err := signer.Token("mail", Subject{UID: "u1"})
	require.NoError(t, err)
	impostor, err := NewSigner("gateway", key('x'))
	require.NoError(t, err)
	forged, err := impostor.Token("billing", Subject{UID: "u1"})
	require.NoError(t, err)
	unknown, err := NewSigner("nobody", key('g'))
	require.NoError(t, err)
	unlisted, err := unknown.Token("billing", Subject{UID: "u1"})
	require.NoError(t, err)
	parts := strings.Split(good, ".")
	for name, header := range map[string]string{
		"nothing":            "",
		"no scheme":          good,
		"another audience":   "Bearer " + elsewhere,
		"another key":        "Bearer " + forged,
		"an unknown service": "Bearer " + unlisted,
		"no signature":       "Bearer " + parts[0] + "." + parts[1] + ".",
		"alg none":           "Bearer " + base64.RawURLEncoding.EncodeToString([]byte(`{"alg":"none"}`)) + "." + parts[1] + ".",
		"too long":           "Bearer " + strings.Repeat("a", maxToken+1),
	} {
		_, err := verifier.Verify(context.Background(), header)
		require.ErrorIs(t, err, ErrUnauthenticated, name)
	}
}

// Whatever its signature: the bound holds before anything is proved.
func TestAProofOverTheBoundIsRefusedThoughItIsSigned(t *testing.T) {
	t.Parallel()
	signer, verifier := pair(t, "billing")
	for words, good := range map[int]bool{100: true, 300: false} {
		token, err := signer.Token("billing", Subject{UID: "u1", Entitlements: slices.Repeat([]string{"library"}, words)})
		require.NoError(t, err)
		require.Equal(t, good, len(token) <= maxToken)
		_, err = verifier.Verify(t.Context(), "Bearer "+token)
		if good {
			require.NoError(t, err)
			continue
		}
		require.ErrorIs(t, err, ErrUnauthenticated)
	}
}

// A token is used again, and must be good for whatever time the call and another clock take.
func TestATokenThatIsUsedAgainHasHalfItsLifeLeft(t *testing.T) {
	t.Parallel()
	signer, verifier := pair(t, "billing")
	now := time.Now()
	used := map[string]bool{}
	for range 60 {
		signer.now = func() time.Time { return now }
		verifier.now = func() time.Time { return now.Add(TokenLife/2 - time.Second) }
		token, err := signer.Token("billing", Subject{UID: "u1"})
		require.NoError(t, err)
		_, err = verifier.Verify(t.Context(), "Bearer "+token)
		require.NoError(t, err)
		used[token] = true
		now = now.Add(5 * time.Second)
	}
	require.LessOrEqual(t, len(used), 12, "a signature costs more than the rest of a small call")
}

func TestAnExpiredTokenIsRefusedAlsoFromTheCache(t *testing.T) {
	t.Parallel()
	signer, verifier := pair(t, "billing")
	token, err := signer.Token("billing", Subject{UID: "u1"})
	require.NoError(t, err)
	_, err = verifier.Verify(context.Background(), "Bearer "+token)
	require.NoError(t, err)
	verifier.now = func() time.Time { return time.Now().Add(TokenLife + time.Second) }
	_, err = verifier.Verify(context.Background(), "Bearer "+token)
	require.ErrorIs(t, err, ErrUnauthenticated)
}

func TestThePolicyRefusesWhatItDoesNotName(t *testing.T) {
	t.Parallel()
	policy := Policy{
		"/a/Member":  {Services: []string{"gateway"}, Member: true},
		"/a/Account": {Services: []string{"gateway"}, Scope: "a.read"},
	}
	gateway := Caller{Service: "gateway", Subject: Subject{UID: "u1"}}
	require.NoError(t, policy.Check("/a/Member", gateway))
	require.ErrorIs(t, policy.Check("/a/Other", gateway), ErrForbidden)
	require.ErrorIs(t, policy.Check("/a/Member", Caller{Service: "mail", Subject: Subject{UID: "u1"}}), ErrForbidden)
	require.ErrorIs(t, policy.Check("/a/Member", Caller{Service: "gateway"}), ErrUnauthenticated)
	account := Caller{Service: "client:reports", Scopes: []string{"a.read"}}
	require.NoError(t, policy.Check("/a/Account", account))
	require.ErrorIs(t, policy.Check("/a/Member", account), ErrForbidden)
	require.ErrorIs(t, policy.Check("/a/Account", Caller{Service: "client:reports"}), ErrForbidden)
}
