package inbox

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestMailsAreShownToThisMachineAlone(t *testing.T) {
	t.Parallel()
	box, err := Open(t.TempDir())
	require.NoError(t, err)
	for host, status := range map[string]int{
		"localhost:8025": http.StatusOK, "localhost": http.StatusOK, "127.0.0.1:8025": http.StatusOK, "[::1]:8025": http.StatusOK,
		"evil.example": http.StatusMisdirectedRequest, "evil.example:8025": http.StatusMisdirectedRequest, "localhost.evil.example": http.StatusMisdirectedRequest,
		"192.168.1.7:8025": http.StatusMisdirectedRequest, "": http.StatusMisdirectedRequest, "127.0.0.1.evil.example": http.StatusMisdirectedRequest,
	} {
		for _, path := range []string{"/", "/api/messages", "/page.css"} {
			r := httptest.NewRequest(http.MethodGet, path, nil)
			r.Host = host
			w := httptest.NewRecorder()
			Handler(box).ServeHTTP(w, r)
			require.Equal(t, status, w.Code, "%s of %q", path, host)
		}
	}
}
