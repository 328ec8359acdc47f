package testkit

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// NodeSuite runs suite.test.mjs in dir by node: what a public client, which npm has installed there, makes of a service. environ tells it
// where the service is.
func NodeSuite(tb testing.TB, dir, client string, environ ...string) {
	tb.Helper()
	_, err := os.Stat(filepath.Join(dir, "node_modules", filepath.FromSlash(client)))
	require.NoError(tb, err, "the public client is not installed: run `make parts`")
	const script = "suite.test.mjs"
	_, err = os.ReadFile(filepath.Join(dir, script)) // else Go would keep the test's result when the script changes: it does not see what node reads
	require.NoError(tb, err)
	suite := exec.CommandContext(tb.Context(), "node", "--test", "--test-concurrency=1", script)
	suite.Dir, suite.Env = dir, append(os.Environ(), environ...)
	printed, err := suite.CombinedOutput()
	require.NoError(tb, err, string(printed))
}
