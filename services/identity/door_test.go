package identity_test

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"serein.app/services/platform/crowd"
	"serein.app/services/platform/guard"
	"serein.app/services/testkit"
	"serein.app/services/testkit/natstest"
)

func TestRFC6749_5_2WhoProvesNoClientIsToldHow(t *testing.T) {
	t.Parallel()
	b := setup(t).serve()
	send := func(path, authorization string, form url.Values) page {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, b.server.URL+path, strings.NewReader(form.Encode()))
		require.NoError(t, err)
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		if authorization != "" {
			req.Header.Set("Authorization", authorization)
		}
		return b.browser().do(req)
	}
	for _, path := range []string{"/oauth/token", "/oauth/revoke"} {
		for name, c := range map[string]struct {
			authorization string
			form          url.Values
		}{
			"nobody":            {"", url.Values{}},
			"a wrong secret":    {"Basic Z2F0ZXdheTp3cm9uZw==", url.Values{}},
			"no colon":          {"Basic Z2F0ZXdheQ==", url.Values{}},
			"not base64":        {"Basic !", url.Values{}},
			"bad escapes":       {"Basic Z2F0ZXdheTol", url.Values{}},
			"another scheme":    {"Bearer x", url.Values{"client_id": {"gateway"}, "client_secret": {gatewaySecret}}},
			"in the form":       {"", url.Values{"client_id": {"gateway"}, "client_secret": {"wrong"}}},
			"an unknown client": {"", url.Values{"client_id": {"nobody"}, "client_secret": {"wrong"}}},
		} {
			c.form.Set("grant_type", "client_credentials")
			p := send(path, c.authorization, c.form)
			require.Equal(t, http.StatusUnauthorized, p.status, name)
			require.Contains(t, p.header.Get("WWW-Authenticate"), "Basic ", name)
			require.Contains(t, p.body, `"invalid_client"`, name)
		}
	}
}

func TestWrongSecretsAreLimitedAndRightOnesAreNot(t *testing.T) {
	t.Parallel()
	b := setup(t).serve()
	form := url.Values{"grant_type": {"client_credentials"}}
	for _, path := range []string{"/oauth/token", "/oauth/revoke"} {
		b.clock.Advance(time.Hour)
		answered := 0
		for range 300 {
			p := b.clientPost(path, "reporter", strings.Repeat("x", 40), form)
			if p.status == http.StatusUnauthorized {
				answered++
				continue
			}
			require.Equal(t, http.StatusTooManyRequests, p.status)
			require.NotEmpty(t, p.header.Get("Retry-After"))
		}
		require.Equal(t, crowd.Size, answered)
	}
	for range 300 {
		require.Equal(t, http.StatusOK, b.clientPost("/oauth/token", "reporter", serviceSecret, form).status)
	}
	// Another client's right secret, in the form, from the address of the wrong ones.
	form.Set("client_id", "reporter")
	form.Set("client_secret", serviceSecret)
	require.Equal(t, http.StatusOK, b.clientPost("/oauth/token", "", "", form).status)
}

func TestStepsOfASignInAreLimitedByAddress(t *testing.T) {
	t.Parallel()
	for path, method := range map[string]string{
		"/oauth/authorize": http.MethodPost, "/oauth/end-session": http.MethodGet,
		"/sign-in": http.MethodPost, "/sign-in/confirm": http.MethodPost, "/sign-in/consent": http.MethodPost,
	} {
		t.Run(path, func(t *testing.T) {
			t.Parallel()
			b := setup(t).serve()
			br := b.browser()
			ask := func(address string) int {
				req, err := http.NewRequestWithContext(t.Context(), method, b.server.URL+path, nil)
				require.NoError(t, err)
				req.Header.Set("X-Forwarded-For", address)
				return br.do(req).status
			}
			passed := 0
			for range 6 * crowd.Size {
				if ask("192.0.2.1") != http.StatusTooManyRequests {
					passed++
				}
			}
			require.LessOrEqual(t, passed, 5*crowd.Size)
			require.GreaterOrEqual(t, passed, 100, "redirects are steps too")
			require.NotEqual(t, http.StatusTooManyRequests, ask("192.0.2.2"))
		})
	}
}

func TestThePublicDoorCapsAddressesConnectionsAndBodies(t *testing.T) {
	t.Parallel()
	cfg, internal := serviceConfig(t, "http://127.0.0.1:1", natstest.New(t).URL)
	cfg.LimitScale = 0.05
	runs(t, cfg, internal)
	refused := 0
	for range 200 {
		res, err := http.Get(cfg.Auth.Issuer + "/signed-out")
		require.NoError(t, err)
		_, _ = io.Copy(io.Discard, res.Body)
		require.NoError(t, res.Body.Close())
		if res.StatusCode == http.StatusTooManyRequests {
			refused++
			require.NotEmpty(t, res.Header.Get("Retry-After"))
		}
	}
	require.Positive(t, refused, "one address cannot ask for ever")

	open := 0
	for range guard.MaxConnsPerAddress + 100 {
		conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", cfg.PublicAddr)
		require.NoError(t, err)
		t.Cleanup(func() { _ = conn.Close() })
		if _, err := fmt.Fprint(conn, "POST /sign-in HTTP/1.1\r\nHost: x\r\nX-Slow: "); err == nil {
			open++
		}
	}
	require.Positive(t, open)
	require.Eventually(t, func() bool {
		res, err := http.Get(cfg.Auth.Issuer + "/signed-out")
		if err != nil {
			return false
		}
		defer func() { _ = res.Body.Close() }()
		return res.StatusCode == http.StatusOK
	}, testkit.Patience, 20*time.Millisecond, "slow connections make room for a visitor")

	require.Eventually(t, func() bool {
		res, err := http.Post(cfg.Auth.Issuer+"/sign-in", "application/x-www-form-urlencoded", strings.NewReader(strings.Repeat("x", guard.MaxBody+1)))
		if err != nil {
			return false
		}
		defer func() { _ = res.Body.Close() }()
		body, err := io.ReadAll(res.Body)
		return err == nil && strings.Contains(string(body), guard.ErrTooLarge.Public)
	}, testkit.Patience, 200*time.Millisecond, "a form of more than 64 KiB is not read")
}
