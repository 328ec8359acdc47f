package login_test

import (
	"encoding/base64"
	"encoding/json"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"serein.app/gateway/internal/login"
	"serein.app/services/platform/auth"
	"serein.app/services/testkit/issuer"
)

// provider is our provider's client, at a time that stands still.
func provider(f *testing.F) (*issuer.Issuer, *login.Provider, time.Time) {
	f.Helper()
	at := time.Now()
	now := func() time.Time { return at }
	op := issuer.Start(f, now)
	public, err := url.Parse("https://app.test")
	require.NoError(f, err)
	return op, login.NewProvider(login.Config{Issuer: op.URL, ClientID: issuer.ClientID, ClientSecret: issuer.ClientSecret}, public, now), at
}

func payload(f *testing.F, op *issuer.Issuer, at time.Time, change map[string]any) []byte {
	f.Helper()
	c := map[string]any{
		"iss": op.URL, "sub": "u1", "aud": []string{auth.APIAudience}, "client_id": "companion", "scope": "a b", "jti": "t1",
		"iat": at.Unix(), "exp": at.Add(time.Hour).Unix(),
	}
	for name, value := range change {
		c[name] = value
	}
	raw, err := json.Marshal(c)
	require.NoError(f, err)
	return raw
}

// FuzzOnlyOurProvidersTokensAreBelieved: an Authorization header is refused, or holds what the provider signed.
func FuzzOnlyOurProvidersTokensAreBelieved(f *testing.F) {
	op, p, at := provider(f)
	said := payload(f, op, at, nil)
	good := op.SignRSA(said)
	parts := strings.Split(good, ".")
	for _, token := range []string{
		good, "", "a.b.c", "..", good + ".", parts[0] + "." + parts[1] + ".", parts[0] + "." + base64.RawURLEncoding.EncodeToString([]byte("{}")) + "." + parts[2],
		issuer.Unsigned(op, said), issuer.SignedWithPublicKey(op, said), issuer.SignedByAnotherKey(op, said), issuer.SignedWithUnknownKeyID(op, said), issuer.SignedWithES256(op, said),
		issuer.SignedWithPublicECKey(op, said), issuer.RS256NamingTheECKey(op, said), issuer.ES256NamingTheRSAKey(op, said),
		op.SignRSA(payload(f, op, at, map[string]any{"exp": at.Unix()})), op.SignRSA(payload(f, op, at, map[string]any{"aud": issuer.ClientID})), strings.Repeat("a", 5000),
	} {
		f.Add("Bearer " + token)
		f.Add("bearer   " + token)
		f.Add(token)
	}
	f.Fuzz(func(t *testing.T, header string) {
		token, ok := auth.Bearer(header)
		if !ok {
			return
		}
		found, err := p.Access(t.Context(), token)
		if err != nil {
			require.ErrorIs(t, err, auth.ErrUnauthenticated)
			require.Zero(t, found)
			return
		}
		require.Equal(t, login.Access{UID: "u1", TokenID: "t1", Scopes: []string{"a", "b"}}, found)
		raw, err := base64.RawURLEncoding.DecodeString(strings.Split(token, ".")[1])
		require.NoError(t, err)
		require.Equal(t, string(said), string(raw))
	})
}

// FuzzAProvidersWordsAreChecked: the provider's signature makes a caller of nothing but a token that is in its
// time and for our API, or a service account's for services.
func FuzzAProvidersWordsAreChecked(f *testing.F) {
	op, p, at := provider(f)
	for _, change := range []map[string]any{
		nil,
		{"sub": ""},
		{"sub": "companion"},
		{"sub": "companion", "aud": auth.ServiceAudience},
		{"aud": nil},
		{"aud": auth.ServiceAudience},
		{"scope": []string{"a"}},
		{"exp": 1e300},
		{"exp": -1},
		{"nbf": at.Add(time.Hour).Unix()},
		{"iss": "https://evil.example"},
		{"client_id": 7},
		{"sub": nil},
		{"jti": nil},
	} {
		f.Add(strings.ReplaceAll(string(payload(f, op, at, change)), op.URL, "{issuer}"))
	}
	for _, odd := range []string{"", "null", "[]", "{", "\xff", `"{issuer}"`} {
		f.Add(odd)
	}
	f.Fuzz(func(t *testing.T, words string) {
		// The issuer's address is another in each process; the stored inputs name none.
		said := strings.ReplaceAll(words, "{issuer}", op.URL)
		found, err := p.Access(t.Context(), issuer.SignedWithES256(op, []byte(said)))
		if err != nil {
			require.ErrorIs(t, err, auth.ErrUnauthenticated)
			return
		}
		require.NotEqual(t, found.UID == "", found.Account == "", "a member or a service account")
		var c struct {
			Issuer   string  `json:"iss"`
			Subject  string  `json:"sub"`
			Audience any     `json:"aud"`
			Expires  float64 `json:"exp"`
		}
		require.NoError(t, json.Unmarshal([]byte(said), &c))
		require.Equal(t, []string{op.URL, c.Subject}, []string{c.Issuer, found.UID + found.Account})
		require.Greater(t, c.Expires, float64(at.Unix())-1)
		want := map[bool]string{true: auth.APIAudience, false: auth.ServiceAudience}[found.UID != ""]
		list, _ := c.Audience.([]any)
		require.True(t, c.Audience == want || slices.Contains(list, any(want)), said)
	})
}
