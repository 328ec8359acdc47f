package gateway

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"serein.app/gateway/internal/login"
	"serein.app/services/testkit/issuer"
)

const (
	logoutEvent = "http://schemas.openid.net/event/backchannel-logout"
	listBespoke = "/serein.web.v1.JourneyService/ListBespoke"
)

// logoutClaims are those of a good logout token.
func (s *stack) logoutClaims(id string) map[string]any {
	now := s.clock.Now()
	return map[string]any{
		"iss": s.op.URL, "aud": issuer.ClientID, "iat": now.Unix(), "exp": now.Add(2 * time.Minute).Unix(), "jti": id,
		"sub": s.uid(), "sid": "session-1", "events": map[string]any{logoutEvent: map[string]any{}},
	}
}

func payload(t *testing.T, claims map[string]any) []byte {
	t.Helper()
	raw, err := json.Marshal(claims)
	require.NoError(t, err)
	return raw
}

// tell brings a logout token as a provider does: without cookies.
func (s *stack) tell(t *testing.T, g *running, token string) answer {
	t.Helper()
	return g.browser(t).send(t, http.MethodPost, login.BackChannelPath, strings.NewReader(url.Values{"logout_token": {token}}.Encode()),
		"Content-Type", "application/x-www-form-urlencoded")
}

func (s *stack) signedInBy(t *testing.T, sid string) []*browser {
	t.Helper()
	s.op.With(func(b *issuer.Behaviour) { b.Claims = map[string]any{"sid": sid} })
	here := s.member(t)
	both := []*browser{here, {Client: here.Client, base: s.gateways[1].URL, host: s.gateways[1].host}}
	for _, b := range both {
		require.Equal(t, http.StatusOK, b.call(t, listBespoke, "{}").StatusCode)
	}
	return both
}

func TestTheProvidersWordByBackChannelEndsItsSessionsOnEveryReplicaWithin2s(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change   func(claims map[string]any)
		kind     string
		othersGo bool
	}{
		"by session and member":                     {func(map[string]any) {}, "logout+jwt", false},
		"by session alone":                          {func(c map[string]any) { delete(c, "sub") }, "logout+jwt", false},
		"by member alone":                           {func(c map[string]any) { delete(c, "sid") }, "logout+jwt", true},
		"of a provider that sends the general type": {func(map[string]any) {}, "JWT", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := start(t, 2)
			other, ended := s.signedInBy(t, "session-2"), s.signedInBy(t, "session-1")
			claims := s.logoutClaims("token-1")
			c.change(claims)
			told := s.tell(t, s.gateways[1], s.op.SignTyped(c.kind, payload(t, claims)))
			require.Equal(t, http.StatusOK, told.StatusCode, told.body)
			require.Equal(t, "no-store", told.Header.Get("Cache-Control"), "Back-Channel Logout 1.0, 2.8")
			require.Empty(t, told.Header.Get("Set-Cookie"))
			s.clock.Move(2 * time.Second)
			for _, b := range ended {
				require.Equal(t, http.StatusUnauthorized, b.call(t, listBespoke, "{}").StatusCode)
			}
			want := http.StatusOK
			if c.othersGo {
				want = http.StatusUnauthorized
			}
			for _, b := range other {
				require.Equal(t, want, b.call(t, listBespoke, "{}").StatusCode, "another session at the provider")
			}
			s.signedInBy(t, "session-3")
		})
	}
}

func TestALogoutTokenThatIsNoneEndsNothing(t *testing.T) {
	t.Parallel()
	s := start(t, 2)
	both := s.signedInBy(t, "session-1")
	set := func(name string, value any) func(map[string]any) { return func(c map[string]any) { c[name] = value } }
	without := func(name string) func(map[string]any) { return func(c map[string]any) { delete(c, name) } }
	sign := func(kind string) func([]byte) string {
		return func(p []byte) string { return s.op.SignTyped(kind, p) }
	}
	good := sign("logout+jwt")
	by := func(f func(*issuer.Issuer, []byte) string) func([]byte) string {
		return func(p []byte) string { return f(s.op, p) }
	}
	nothing := func(map[string]any) {}
	now := s.clock.Now()
	for name, c := range map[string]struct {
		change func(map[string]any)
		sign   func([]byte) string
	}{
		"unsigned":                         {nothing, by(issuer.Unsigned)},
		"signed with the public key":       {nothing, by(issuer.SignedWithPublicKey)},
		"signed with the public EC key":    {nothing, by(issuer.SignedWithPublicECKey)},
		"of RS256, naming the EC key":      {nothing, by(issuer.RS256NamingTheECKey)},
		"of ES256, naming the RSA key":     {nothing, by(issuer.ES256NamingTheRSAKey)},
		"signed with the client's secret":  {nothing, by(issuer.SignedWithClientSecret)},
		"signed by another key":            {nothing, by(issuer.SignedByAnotherKey)},
		"of another issuer":                {set("iss", "https://evil.example"), good},
		"of no issuer":                     {without("iss"), good},
		"for another client":               {set("aud", "another"), good},
		"for nobody":                       {without("aud"), good},
		"after its end":                    {set("exp", now.Add(-time.Second).Unix()), good},
		"without an end":                   {without("exp"), good},
		"from the future":                  {set("iat", now.Add(time.Hour).Unix()), good},
		"that does not say when":           {without("iat"), good},
		"without events":                   {without("events"), good},
		"of another event":                 {set("events", map[string]any{"http://schemas.openid.net/event/other": map[string]any{}}), good},
		"whose event is no object":         {set("events", map[string]any{logoutEvent: "now"}), good},
		"with a nonce":                     {set("nonce", "n-1"), good},
		"of nobody and no session":         {func(c map[string]any) { delete(c, "sub"); delete(c, "sid") }, good},
		"without an id":                    {without("jti"), good},
		"of the type of an access token":   {nothing, sign("at+jwt")},
		"that is an ID token":              {func(c map[string]any) { delete(c, "events"); delete(c, "jti"); c["nonce"] = "n-1" }, sign("JWT")},
		"of another member of the session": {set("sub", "somebody-else"), nil},
		"that is no token":                 {nothing, func([]byte) string { return "x.y.z" }},
		"that is endless":                  {set("x", strings.Repeat("x", 9000)), good},
		"that is nothing":                  {nothing, func([]byte) string { return "" }},
	} {
		claims := s.logoutClaims(name)
		c.change(claims)
		if c.sign == nil { // proved, and no session of that member
			require.Equal(t, http.StatusOK, s.tell(t, s.gateways[0], good(payload(t, claims))).StatusCode, name)
			continue
		}
		told := s.tell(t, s.gateways[0], c.sign(payload(t, claims)))
		require.Equal(t, http.StatusBadRequest, told.StatusCode, name)
		require.JSONEq(t, `{"error":"invalid_request"}`, told.body, name)
	}
	token := s.op.SignTyped("logout+jwt", payload(t, s.logoutClaims("once")))
	twice := s.gateways[0].browser(t).send(t, http.MethodPost, login.BackChannelPath,
		strings.NewReader(url.Values{"logout_token": {token, token}}.Encode()), "Content-Type", "application/x-www-form-urlencoded")
	require.Equal(t, http.StatusBadRequest, twice.StatusCode, "two in one call")
	require.Equal(t, http.StatusBadRequest, s.gateways[0].browser(t).send(t, http.MethodPost, login.BackChannelPath+"?logout_token="+token, nil).StatusCode, "in the address")
	require.Equal(t, http.StatusNotFound, s.gateways[0].browser(t).get(t, login.BackChannelPath+"?logout_token="+token).StatusCode)
	s.clock.Move(2 * time.Second)
	for _, b := range both {
		require.Equal(t, http.StatusOK, b.call(t, listBespoke, "{}").StatusCode)
	}
	require.Equal(t, http.StatusOK, s.tell(t, s.gateways[0], token).StatusCode)
	require.Equal(t, http.StatusBadRequest, s.tell(t, s.gateways[1], token).StatusCode, "used before, at another replica")
}

// A provider tries again what was answered with a fault of ours.
func TestALogoutTokenThatCouldNotBeActedOnIsTakenWhenItComesAgain(t *testing.T) {
	t.Parallel()
	s := start(t, 2)
	both := s.signedInBy(t, "session-1")
	token := s.op.SignTyped("logout+jwt", payload(t, s.logoutClaims("token-1")))
	s.redis.SetError("LOADING")
	require.Equal(t, http.StatusServiceUnavailable, s.tell(t, s.gateways[0], token).StatusCode)
	s.redis.SetError("")
	require.Equal(t, http.StatusOK, s.tell(t, s.gateways[0], token).StatusCode)
	s.clock.Move(2 * time.Second)
	for _, b := range both {
		require.Equal(t, http.StatusUnauthorized, b.call(t, listBespoke, "{}").StatusCode)
	}
}
