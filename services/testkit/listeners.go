package testkit

import (
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"serein.app/services/platform/auth"
)

const (
	healthCheck = "/grpc.health.v1.Health/Check"
	reflection  = "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo"
	oldReflect  = "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo"
)

// RequireInternal demands that the listener at url answers what only operators and other services
// may ask: health, readiness, metrics, reflection and every procedure of the policy.
func RequireInternal(tb testing.TB, url string, policy auth.Policy) {
	tb.Helper()
	require.Eventually(tb, func() bool { return status(tb, http.MethodGet, url+"/readyz") == http.StatusOK },
		Patience, 10*time.Millisecond, "it becomes ready")
	for _, path := range []string{"/healthz", "/metrics"} {
		require.Equal(tb, http.StatusOK, status(tb, http.MethodGet, url+path), path)
	}
	require.Equal(tb, http.StatusOK, status(tb, http.MethodPost, url+healthCheck), healthCheck)
	for _, path := range append(slices.Sorted(maps.Keys(policy)), reflection, oldReflect) {
		require.NotContains(tb, []int{http.StatusNotFound, http.StatusOK}, status(tb, http.MethodPost, url+path), path)
	}
	for procedure := range policy { // the check of packing stands before each
		require.Equal(tb, http.StatusUnsupportedMediaType, status(tb, http.MethodPost, url+procedure, "Content-Encoding", "br"), procedure)
	}
}

// RequirePublic demands that the listener at url, which browsers reach, knows nothing of that.
func RequirePublic(tb testing.TB, url string, policy auth.Policy) {
	tb.Helper()
	operations := []string{"/healthz", "/readyz", "/metrics", "/debug/pprof/", "/debug/vars", healthCheck, reflection, oldReflect}
	for _, path := range append(slices.Sorted(maps.Keys(policy)), operations...) {
		require.Equal(tb, http.StatusNotFound, status(tb, http.MethodGet, url+path), path)
		require.Equal(tb, http.StatusNotFound, status(tb, http.MethodPost, url+path), path)
	}
}

func status(tb testing.TB, method, url string, header ...string) int {
	tb.Helper()
	req, err := http.NewRequestWithContext(tb.Context(), method, url, strings.NewReader("{}"))
	require.NoError(tb, err)
	req.Header.Set("Content-Type", "application/json")
	for i := 0; i+1 < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	res, err := http.DefaultClient.Do(req)
	require.NoError(tb, err)
	_, err = io.Copy(io.Discard, res.Body)
	require.NoError(tb, err)
	require.NoError(tb, res.Body.Close())
	return res.StatusCode
}
