package gateway

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"serein.app/gateway/internal/login"
	"serein.app/services/platform/config"
	"serein.app/services/testkit/freeport"
	"serein.app/services/testkit/issuer"
)

// publicSoftware is where the public npm provider is installed, beside the clients that identity is tested with.
const publicSoftware = "../services/identity/client-suite"

// external is the public oidc-provider, unmodified, with two gateways that it knows.
func external(t *testing.T, sessions bool) (*stack, string) {
	t.Helper()
	_, err := os.Stat(filepath.Join(publicSoftware, "node_modules", "oidc-provider"))
	require.NoError(t, err, "the public provider is not installed: run `make parts`")
	port, err := freeport.New()
	require.NoError(t, err)
	provider := fmt.Sprintf("http://localhost:%d", port)
	s := start(t, 2, func(c *Config, _ *settings) {
		c.Login = login.Config{Issuer: provider, ClientID: issuer.ClientID, ClientSecret: config.Secret(issuer.ClientSecret)}
	})
	var callbacks, homes []string
	for _, g := range s.gateways {
		callbacks, homes = append(callbacks, g.URL+"/auth/callback"), append(homes, g.URL+"/")
	}
	registered, err := json.Marshal(map[string]any{
		"client_id": issuer.ClientID, "client_secret": issuer.ClientSecret, "redirect_uris": callbacks, "post_logout_redirect_uris": homes,
		"grant_types": []string{"authorization_code", "refresh_token"}, "response_types": []string{"code"},
		"backchannel_logout_uri": s.gateways[1].URL + login.BackChannelPath, "backchannel_logout_session_required": sessions,
	})
	require.NoError(t, err)
	node := exec.CommandContext(t.Context(), "node", "provider.mjs")
	var printed bytes.Buffer
	node.Dir, node.Stdout, node.Stderr = publicSoftware, &printed, &printed
	node.Env = append(os.Environ(), fmt.Sprintf("PORT=%d", port), "CLIENT="+string(registered), "MEMBER="+s.uid())
	require.NoError(t, node.Start())
	t.Cleanup(func() {
		_ = node.Process.Kill()
		_ = node.Wait()
		if t.Failed() {
			t.Log(printed.String())
		}
	})
	require.Eventually(t, func() bool {
		res, err := http.Get(provider + "/renewals")
		return err == nil && res.Body.Close() == nil && res.StatusCode == http.StatusOK
	}, patience, 20*time.Millisecond)
	s.clock.Move(time.Since(s.clock.Now())) // the provider's is real, and its start may take a while
	return s, provider
}

// redirected goes on as a browser does, until a page.
func (b *browser) redirected(t *testing.T, address string) answer {
	t.Helper()
	for range 20 {
		got := b.get(t, address)
		if got.StatusCode < 300 || got.StatusCode > 399 {
			return got
		}
		at, err := got.Request.URL.Parse(got.Header.Get("Location"))
		require.NoError(t, err)
		if address = at.String(); strings.HasPrefix(address, b.base+"/") && !strings.HasPrefix(address, b.base+"/auth/") {
			return got
		}
	}
	t.Fatal("redirects without end")
	return answer{}
}

var logoutForm = regexp.MustCompile(`name="xsrf" value="([^"]+)"`)

// signOutThere ends the session at the provider: its own page asks, and the person says yes.
func (b *browser) signOutThere(t *testing.T, address string) answer {
	t.Helper()
	asked := b.get(t, address)
	require.Equal(t, http.StatusOK, asked.StatusCode, asked.body)
	token := logoutForm.FindStringSubmatch(asked.body)
	require.Len(t, token, 2, asked.body)
	at, err := url.Parse(address)
	require.NoError(t, err)
	return b.send(t, http.MethodPost, at.Scheme+"://"+at.Host+"/session/end/confirm",
		strings.NewReader(url.Values{"xsrf": {token[1]}, "logout": {"yes"}}.Encode()), "Content-Type", "application/x-www-form-urlencoded")
}

func TestAMemberOfAPublicProviderSignsInRenewsSilentlyAndSignsOut(t *testing.T) {
	t.Parallel()
	for name, sessions := range map[string]bool{"which names sessions": true, "which names members alone": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, provider := external(t, sessions)
			here := s.gateways[0].browser(t)
			there := &browser{Client: here.Client, base: s.gateways[1].URL, host: s.gateways[1].host}
			in := here.redirected(t, "/auth/sign-in?return_to=/journey")
			require.Equal(t, "/journey", in.Header.Get("Location"), in.body)
			require.Contains(t, here.call(t, getSession, "{}").body, `"givenName":"Ada"`)

			s.clock.Move(66 * time.Second) // the access token has 65
			for _, b := range []*browser{here, there} {
				require.Equal(t, http.StatusOK, b.call(t, listBespoke, "{}").StatusCode)
			}
			require.Equal(t, "1", here.get(t, provider+"/renewals").body, "once for both replicas, and nobody was asked")

			here.signOutThere(t, provider+"/session/end")
			s.clock.Move(2 * time.Second)
			for _, b := range []*browser{here, there} {
				require.Equal(t, http.StatusUnauthorized, b.call(t, listBespoke, "{}").StatusCode, "ended by the back channel")
			}

			ended := time.Now().Unix() // a word about a member counts for all of its second
			require.Eventually(t, func() bool { return time.Now().Unix() > ended }, patience, 10*time.Millisecond)
			again := here.redirected(t, "/auth/sign-in?return_to=/journey")
			require.Equal(t, "/journey", again.Header.Get("Location"), again.body)
			require.Equal(t, http.StatusOK, here.call(t, listBespoke, "{}").StatusCode)
			var out struct {
				URL string `json:"redirectUrl"`
			}
			signedOut := here.call(t, "/serein.web.v1.SessionService/SignOut", "{}")
			require.NoError(t, json.Unmarshal([]byte(signedOut.body), &out), signedOut.body)
			home := here.signOutThere(t, out.URL)
			require.Equal(t, s.gateways[0].URL+"/", home.Header.Get("Location"), "and back to our own front page")
		})
	}
}
