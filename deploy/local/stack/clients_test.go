package stack

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestClientsThatSomebodyAddsOnThisMachineStayAtTheNextStart(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	settings, err := openSettings(dir)
	require.NoError(t, err)
	s := &Stack{options: Options{Root: dir, DataDir: dir}, settings: settings}
	path := filepath.Join(dir, clientsFile)
	require.NoError(t, s.writeClients())
	first, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Contains(t, string(first), gatewayClient)
	info, err := os.Stat(path)
	require.NoError(t, err)
	require.EqualValues(t, 0o600, info.Mode().Perm(), "it holds secrets")

	added, err := mergeClients(first, []client{{ID: "guest", RedirectURIs: []string{"http://localhost:3000/"}}})
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(path, added, 0o600))
	settings.Ports["gateway"] = 12345
	require.NoError(t, s.writeClients())
	second, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Contains(t, string(second), `"guest"`)
	require.Contains(t, string(second), "http://localhost:12345/auth/callback", "its own have the addresses of this start")
	require.NotContains(t, string(second), "http://localhost:0/auth/callback")

	require.NoError(t, os.WriteFile(path, []byte("[{"), 0o600))
	require.ErrorContains(t, s.writeClients(), path, "a file that cannot be read is left as it is")
}
