package identity_test

import (
	"encoding/pem"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/services/testkit"
	"serein.app/services/testkit/freeport"
)

// clientSuite is where the public clients and what they are asked stand.
const clientSuite = "client-suite"

func TestThePublicClientCompletesEverythingThatDiscoveryNames(t *testing.T) {
	t.Parallel()
	port, err := freeport.New()
	require.NoError(t, err)
	b := setup(t).serve()
	b.serveWith(func(c []clientConfig) { c[0].BackChannelLogoutURI = fmt.Sprintf("http://127.0.0.1:%d/logout", port) })
	b.member("amara")
	authority := filepath.Join(t.TempDir(), "authority.pem")
	require.NoError(t, os.WriteFile(authority, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: b.server.Certificate().Raw}), 0o600))
	testkit.NodeSuite(t, clientSuite, "openid-client", "NODE_EXTRA_CA_CERTS="+authority, "ISSUER="+b.server.URL, "LOGIN=amara", "PASSWORD="+goodPassword,
		"GATEWAY_SECRET="+gatewaySecret, "SERVICE_SECRET="+serviceSecret, fmt.Sprintf("LOGOUT_PORT=%d", port))
}
