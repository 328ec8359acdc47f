package auth

import (
	"encoding/base64"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// at is when the fuzzed proofs are judged.
var at = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

// fuzzedPair is pair with its time standing still.
func fuzzedPair(f *testing.F) (*Signer, *Verifier) {
	f.Helper()
	public, err := PublicKey(key('g'))
	require.NoError(f, err)
	signer, err := NewSigner("gateway", key('g'))
	require.NoError(f, err)
	verifier, err := NewVerifier("billing", Config{Peers: "gateway=" + public})
	require.NoError(f, err)
	signer.now, verifier.now = func() time.Time { return at }, func() time.Time { return at }
	return signer, verifier
}

// signedPart is what a signature covers, as bytes: base64 has several spellings of its last ones.
func signedPart(token string) string {
	parts := strings.Split(token, ".")
	return strings.Join(parts[:min(2, len(parts))], ".")
}

// FuzzOnlyWhatAPeerSignedIsBelieved: a header is refused, or holds what a peer signed, to the letter.
func FuzzOnlyWhatAPeerSignedIsBelieved(f *testing.F) {
	signer, verifier := fuzzedPair(f)
	subject := Subject{UID: "u1", Actor: "u2", Admin: true, Entitlements: []string{"generator"}}
	good, err := signer.Authorization("billing", subject)
	require.NoError(f, err)
	elsewhere, err := signer.Authorization("mail", subject)
	require.NoError(f, err)
	parts := strings.Split(strings.TrimPrefix(good, bearer), ".")
	encode := base64.RawURLEncoding.EncodeToString
	for _, header := range []string{
		"", bearer, good, elsewhere, strings.ToLower(good), good + "=", good + "." + parts[2], " " + good, strings.TrimPrefix(good, bearer),
		bearer + parts[0] + "." + parts[1] + ".", bearer + encode([]byte(`{"alg":"none"}`)) + "." + parts[1] + ".",
		bearer + encode([]byte(`{"alg":"EdDSA","b64":false,"crit":["b64"]}`)) + "." + parts[1] + "." + parts[2],
		bearer + encode([]byte(`{"alg":"EdDSA","jwk":{"kty":"OKP","crv":"Ed25519","x":"AAAA"}}`)) + "." + parts[1] + "." + parts[2],
		bearer + parts[0] + "." + encode([]byte("null")) + "." + parts[2], bearer + "..", bearer + `{"payload":"","signatures":[]}`,
	} {
		f.Add(header)
	}
	f.Fuzz(func(t *testing.T, header string) {
		caller, err := verifier.Verify(t.Context(), header)
		if err != nil {
			require.ErrorIs(t, err, ErrUnauthenticated)
			require.Zero(t, caller)
			return
		}
		require.Equal(t, Caller{Service: "gateway", Subject: subject}, caller)
		require.Equal(t, signedPart(good), signedPart(header))
	})
}

// FuzzAPeersOwnWordsAreChecked: a peer's signature makes nothing of a payload but what a proof may say:
// it is for this service, for a short time, and rights and actors have a subject.
func FuzzAPeersOwnWordsAreChecked(f *testing.F) {
	signer, verifier := fuzzedPair(f)
	for _, payload := range []string{
		`{"iss":"gateway","aud":"billing","sub":"u1","exp":1795262460}`, `{"iss":"gateway","aud":"billing","exp":1795262460}`,
		`{"iss":"gateway","aud":"billing","sub":"u1","adm":true,"ent":["library"],"act":{"sub":"u2"},"exp":1795262460}`,
		`{"iss":"gateway","aud":["billing"],"exp":1795262460}`, `{"iss":"gateway","aud":"billing","adm":true,"exp":1795262460}`,
		`{"iss":"gateway","aud":"billing","act":{},"exp":1795262460}`, `{"iss":"gateway","ISS":"nobody","aud":"billing","exp":9223372036854775807}`,
		`{"iss":"gateway","aud":"billing","exp":-9223372036854775808}`, `{"iss":"gateway","aud":"billing","exp":1e400}`, "null", "[]", "{", "\xff", "",
	} {
		f.Add([]byte(payload))
	}
	f.Fuzz(func(t *testing.T, payload []byte) {
		signed, err := signer.signer.Sign(payload)
		require.NoError(t, err)
		token, err := signed.CompactSerialize()
		require.NoError(t, err)
		caller, err := verifier.Verify(t.Context(), bearer+token)
		if err != nil {
			require.ErrorIs(t, err, ErrUnauthenticated)
			return
		}
		var said claims
		require.NoError(t, json.Unmarshal(payload, &said))
		require.Equal(t, []string{"gateway", "billing"}, []string{said.Issuer, said.Audience})
		require.True(t, said.Expires > at.Unix() && said.Expires <= at.Add(2*TokenLife).Unix())
		if on := caller.Subject; on.UID == "" {
			require.True(t, on.Actor == "" && !on.Admin && len(on.Entitlements) == 0)
		}
		require.True(t, slices.Equal(said.Entitlements, caller.Subject.Entitlements))
	})
}
