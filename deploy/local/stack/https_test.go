package stack

import (
	"crypto/tls"
	"io"
	"net"
	"net/http"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestWithHTTPSBrowsersAreAnsweredUnderACertificateThatTheProgramsBelieve(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	settings, err := openSettings(dir)
	require.NoError(t, err)
	s := &Stack{ctx: t.Context(), settings: settings, options: Options{DataDir: dir, HTTPS: true}}
	require.NoError(t, s.assign())
	parts, err := s.encryption()
	require.NoError(t, err)
	require.NoError(t, s.startAll(t.Context(), parts))
	t.Cleanup(func() {
		for _, p := range parts {
			require.NoError(t, p.now().stop(p.name))
		}
	})

	gateway, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", s.loopback("gateway"))
	require.NoError(t, err)
	server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { _, _ = io.WriteString(w, r.Host) })}
	go func() { _ = server.Serve(gateway) }()
	t.Cleanup(func() { _ = server.Close() })

	client := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: s.Authority(), MinVersion: tls.VersionTLS12}}}
	require.Equal(t, s.Host(), answer(t, client, s.URL()))
	require.Equal(t, "localhost:"+strconv.Itoa(s.settings.Ports["gateway-https"]), s.Host())
	require.Contains(t, s.Issuer(), "https://localhost:")
	environ, err := s.environ("content")
	require.NoError(t, err)
	require.Equal(t, s.Host(), environ["MEDIA_HOST"])
	require.FileExists(t, environ["SSL_CERT_FILE"])
}

// answer asks until the encryption has seen that somebody listens behind it.
func answer(t *testing.T, client *http.Client, address string) (body string) {
	t.Helper()
	require.Eventually(t, func() bool {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
		require.NoError(t, err)
		res, err := client.Do(req)
		if err != nil {
			return false
		}
		defer func() { _ = res.Body.Close() }()
		content, err := io.ReadAll(res.Body)
		body = string(content)
		return err == nil
	}, stillTime, readyPoll)
	return body
}
