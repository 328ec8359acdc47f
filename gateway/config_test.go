package gateway

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/gateway/internal/session"
	"serein.app/services/platform/config"
)

func TestSecretsAndSessionsTravelInTheClearToThisMachineAlone(t *testing.T) {
	t.Parallel()
	cfg := start(t, 1).cfg
	cfg.PublicURL = "http://localhost:8080"
	require.NoError(t, cfg.Validate())
	cfg.Login.Issuer, cfg.PublicURL = "https://id.serein.example", "https://serein.example"
	require.NoError(t, cfg.Validate())
	for _, remote := range []string{"http://serein.example", "http://10.0.0.1", "http://localhost.evil.example"} {
		bad := cfg
		bad.PublicURL = remote
		require.ErrorContains(t, bad.Validate(), "PUBLIC_URL", remote)
		bad = cfg
		bad.Login.Issuer = remote
		require.ErrorContains(t, bad.Validate(), "OIDC_ISSUER", remote)
	}
}

func TestReplacingTheSessionSecretSignsNobodyOut(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b := s.member(t)
	replaced := func(previous config.Secret) *browser {
		fresh := s.replica(t, func(c *Config, _ *settings) {
			c.Session.Secret, c.Session.Previous = config.Secret(strings.Repeat("another secret ", 3)), previous
		}).browser(t)
		u, err := url.Parse(fresh.base)
		require.NoError(t, err)
		fresh.Jar.SetCookies(u, []*http.Cookie{{Name: session.CookieName, Value: b.cookie(session.CookieName), Path: "/", Secure: true}})
		return fresh
	}
	require.Contains(t, replaced(s.cfg.Session.Secret).call(t, getSession, "{}").body, "Ada")
	require.NotContains(t, replaced("").call(t, getSession, "{}").body, "Ada")
}
