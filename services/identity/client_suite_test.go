package identity_test

import (
	"encoding/pem"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/services/testkit"
)

// clientSuite is where the public clients and what they are asked stand.
const clientSuite = "client-suite"

func TestThePublicClientCompletesEverythingThatDiscoveryNames(t *testing.T) {
	t.Parallel()
	_, err := os.Stat(filepath.Join(clientSuite, "node_modules", "openid-client"))
	require.NoError(t, err, "the public client is not installed: run `make parts`")
	port, err := testkit.FreePort()
	require.NoError(t, err)
	b := setup(t).serve()
	b.serveWith(func(c []clientConfig) { c[0].BackChannelLogoutURI = fmt.Sprintf("http://127.0.0.1:%d/logout", port) })
	b.member("amara")
	authority := filepath.Join(t.TempDir(), "authority.pem")
	require.NoError(t, os.WriteFile(authority, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: b.server.Certificate().Raw}), 0o600))
	suite := exec.CommandContext(t.Context(), "node", "--test", "--test-concurrency=1", "suite.test.mjs")
	suite.Dir = clientSuite
	suite.Env = append(os.Environ(), "NODE_EXTRA_CA_CERTS="+authority, "ISSUER="+b.server.URL, "LOGIN=amara", "PASSWORD="+goodPassword,
		"GATEWAY_SECRET="+gatewaySecret, "SERVICE_SECRET="+serviceSecret, fmt.Sprintf("LOGOUT_PORT=%d", port))
	printed, err := suite.CombinedOutput()
	require.NoError(t, err, string(printed))
}
