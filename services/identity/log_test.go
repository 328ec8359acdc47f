package identity_test

import (
	"bytes"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/services/platform/telemetry"
)

// logged keeps what is logged.
type logged struct {
	mu  sync.Mutex
	out bytes.Buffer
}

func (l *logged) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.out.Write(p)
}

func TestNobodyMakesTheProviderWriteLongLines(t *testing.T) {
	t.Parallel()
	out := &logged{}
	tel, err := telemetry.SetupTo(t.Context(), "identity", out)
	require.NoError(t, err)
	b := setup(t)
	b.log = tel.Log
	b.serve()
	for name, long := range map[string]string{"letters": strings.Repeat("x", 50_000), "control characters": strings.Repeat("\x01", 15_000)} {
		twice := url.Values{long: {"1", "2"}}
		require.Equal(t, http.StatusBadRequest, b.clientPost("/oauth/token", "", "", twice).status, name)
		require.NotEqual(t, http.StatusOK, b.clientPost("/oauth/token", "gateway", long, url.Values{"grant_type": {"authorization_code"}, "code": {long}}).status)
		nowhere := url.Values{"client_id": {"gateway"}, "redirect_uri": {"https://" + long}, "response_type": {"code"}, "scope": {"openid"}}
		require.Equal(t, http.StatusBadRequest, b.browser().post("/oauth/authorize", nowhere).status, name)
		require.Equal(t, http.StatusBadRequest, b.browser().post("/oauth/authorize", url.Values{"client_id": {long}}).status, name)
	}
	out.mu.Lock()
	defer out.mu.Unlock()
	require.NotContains(t, out.out.String(), "xxxx is there twice")
	for line := range strings.Lines(out.out.String()) {
		require.Less(t, len(line), 4096, "%.200s", line)
	}
}
