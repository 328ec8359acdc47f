package server_test

import (
	"errors"
	"io"
	"net"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/services/platform/server"
	"serein.app/services/testkit"
)

// public adds a listener for browsers that answers one path.
func public(t *testing.T, s *server.Server, serve func(*http.Server, *net.TCPListener) error) (url string) {
	t.Helper()
	listener, err := server.Listen(t.Context(), "127.0.0.1:0")
	require.NoError(t, err)
	routes := http.NewServeMux()
	routes.HandleFunc("GET /page", func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "a page") })
	s.Public(server.Public{Listener: listener, Handler: routes, Serve: serve})
	return "http://" + listener.Addr().String()
}

func TestThePublicListenerServesItsOwnRoutesAndTheInternalOneOperations(t *testing.T) {
	t.Parallel()
	var browsers string
	r := start(t, server.Config{}, func(s *server.Server) {
		browsers = public(t, s, nil)
		s.Handle("GET /inside", http.NotFoundHandler())
	})
	testkit.RequireInternal(t, r.url, nil)
	testkit.RequirePublic(t, browsers, nil)
	code, body := get(t, browsers+"/page")
	require.Equal(t, http.StatusOK, code)
	require.Equal(t, "a page", body)
	code, _ = get(t, r.url+"/page")
	require.Equal(t, http.StatusNotFound, code)
}

func TestThePublicListenerTakesConnectionsUnderItsOwnCaps(t *testing.T) {
	t.Parallel()
	asked := make(chan struct{}, 1)
	var browsers string
	start(t, server.Config{}, func(s *server.Server) {
		browsers = public(t, s, func(h *http.Server, l *net.TCPListener) error { asked <- struct{}{}; return h.Serve(l) })
	})
	code, _ := get(t, browsers+"/page")
	require.Equal(t, http.StatusOK, code)
	<-asked
}

func TestAPublicListenerThatFailsEndsTheService(t *testing.T) {
	t.Parallel()
	r := start(t, server.Config{}, func(s *server.Server) {
		public(t, s, func(*http.Server, *net.TCPListener) error { return errors.New("no more connections") })
	})
	require.ErrorContains(t, <-r.done, "no more connections")
}

func TestAnAddressThatIsTakenIsSaidAtOnce(t *testing.T) {
	t.Parallel()
	first, err := server.Listen(t.Context(), "127.0.0.1:0")
	require.NoError(t, err)
	defer func() { _ = first.Close() }()
	_, err = server.Listen(t.Context(), first.Addr().String())
	require.ErrorContains(t, err, "listen")
}
