package stack

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTheStatusIsShownToThisMachineAlone(t *testing.T) {
	t.Parallel()
	s := started(t)
	running, err := s.startStatus(t.Context())
	require.NoError(t, err)
	for host, status := range map[string]int{"localhost": http.StatusOK, "127.0.0.1": http.StatusOK, "evil.example": http.StatusMisdirectedRequest} {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.StatusURL(), nil)
		require.NoError(t, err)
		req.Host = host
		res, err := http.DefaultClient.Do(req)
		require.NoError(t, err)
		require.NoError(t, res.Body.Close())
		require.Equal(t, status, res.StatusCode, host)
	}
	require.NotNil(t, running.done)
}
