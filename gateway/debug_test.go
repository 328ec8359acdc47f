package gateway

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/encoding/protojson"

	webv1 "serein.app/proto/gen/serein/web/v1"
	"serein.app/services/testkit/issuer"
)

const (
	debugCall = "/serein.web.v1.DebugService/GetSignIn"
	debugPage = "/debug-sign-in"
)

// signInOf is what the gateway answers to the debug screen.
func (b *browser) signInOf(t *testing.T) (*webv1.SignIn, string) {
	t.Helper()
	got := b.call(t, debugCall, "{}")
	require.Equal(t, http.StatusOK, got.StatusCode, got.body)
	answer := new(webv1.GetSignInResponse)
	require.NoError(t, protojson.Unmarshal([]byte(got.body), answer))
	return answer.GetSignIn(), got.body
}

func TestTheDebugScreenSaysClaimsAndLifetimesAndNeverAToken(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	s.op.With(func(b *issuer.Behaviour) { b.Claims = map[string]any{"sid": "a-session-there"} })
	visitor := s.gateways[0].browser(t)
	nothing, _ := visitor.signInOf(t)
	require.Nil(t, nothing, "a visitor is not signed in")

	b := s.member(t)
	shown, body := b.signInOf(t)
	said := map[string]string{}
	for _, c := range shown.GetClaims() {
		said[c.GetName()] = c.GetValue()
	}
	require.Equal(t, s.uid(), said["sub"])
	require.Equal(t, "Ada", said["given_name"])
	require.NotEmpty(t, said["email"])
	require.Equal(t, s.op.URL, shown.GetIssuer())
	now := s.clock.Now()
	access := shown.GetAccessTokenEndsAt().AsTime()
	require.True(t, access.After(now), "%v", access)
	require.Equal(t, time.Minute, access.Sub(shown.GetRenewsAt().AsTime()), "renewal begins a minute before")
	require.Equal(t, now.Add(s.cfg.Session.MaxAge).Unix(), shown.GetEndsAt().AsTime().Unix())
	require.Equal(t, now.Unix(), shown.GetIssuedAt().AsTime().Unix())
	for _, secret := range []string{"access-", "refresh-", "eyJ", "a-session-there", b.cookie("__Host-serein")} {
		require.NotContains(t, body, secret)
	}

	other, _ := s.other(t).signInOf(t)
	require.Equal(t, someone, other.GetClaims()[0].GetValue(), "each member sees their claims")
	require.Equal(t, http.StatusOK, b.call(t, "/serein.web.v1.SessionService/SignOut", "{}").StatusCode)
	over, _ := b.signInOf(t)
	require.Nil(t, over)
}

func TestWithoutTheSettingThereIsNoDebugScreen(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	on := s.member(t)
	require.Equal(t, http.StatusOK, on.get(t, debugPage).StatusCode)
	require.NotContains(t, on.get(t, "/robots.txt").body, "debug")

	off := start(t, 1, func(c *Config, _ *settings) { c.DebugSignIn = false })
	for _, b := range []*browser{off.gateways[0].browser(t), off.member(t)} {
		require.Equal(t, http.StatusNotFound, b.get(t, debugPage).StatusCode)
		got := b.call(t, debugCall, "{}")
		require.Equal(t, http.StatusNotFound, got.StatusCode, got.body)
		require.Equal(t, "NOT_FOUND", got.reason(t))
		require.NotContains(t, got.body, "DEBUG_SIGNIN")
	}
	require.Equal(t, "/", off.gateways[0].browser(t).signIn(t, "?return_to="+debugPage).Header.Get("Location"), "nor does a sign-in lead there")
}
