package guard_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/services/platform/guard"
)

func address(t *testing.T, raw string) *url.URL {
	t.Helper()
	u, err := url.Parse(raw)
	require.NoError(t, err)
	return u
}

func TestRFC9110OnlyTheHostOfThePublicAddressIsServed(t *testing.T) {
	t.Parallel()
	for public, hosts := range map[string]map[string]bool{
		"https://serein.example": {
			"serein.example": true, "SEREIN.example": true, "serein.example:443": true, "serein.example:80": false, "serein.example:8443": false,
			"evil.example": false, "serein.example.evil.example": false, "www.serein.example": false, "": false, "serein.example@evil.example": false,
			"127.0.0.1": false, "localhost": false, "serein.example.": false, "serein.example:": false,
		},
		"http://localhost:8080":       {"localhost:8080": true, "localhost": false, "127.0.0.1:8080": false, "localhost:8081": false},
		"http://[::1]:80":             {"[::1]": true, "[::1]:80": true, "[::1]:81": false, "::1": false},
		"https://Serein.Example:8443": {"serein.example:8443": true, "serein.example": false},
	} {
		served := guard.OnlyHost(address(t, public), http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
		for host, ours := range hosts {
			for _, upgrade := range []string{"", "websocket"} {
				r := httptest.NewRequest(http.MethodGet, "/", nil)
				r.Host = host
				if upgrade != "" {
					r.Header.Set("Upgrade", upgrade)
				}
				w := httptest.NewRecorder()
				served.ServeHTTP(w, r)
				require.Equal(t, map[bool]int{true: http.StatusOK, false: http.StatusMisdirectedRequest}[ours], w.Code, "%s asked for %q", public, host)
				require.Equal(t, !ours, strings.Contains(w.Body.String(), strings.ToLower(address(t, public).Hostname())), "who is lost hears where to go")
			}
		}
	}
}

func TestAnOriginIsWrittenAsBrowsersWriteIt(t *testing.T) {
	t.Parallel()
	for public, origin := range map[string]string{
		"https://Serein.Example/": "https://serein.example", "https://serein.example:443": "https://serein.example",
		"http://localhost:8080": "http://localhost:8080", "http://[::1]:80/": "http://[::1]", "https://serein.example:80": "https://serein.example:80",
	} {
		require.Equal(t, origin, guard.Origin(address(t, public)))
	}
}
