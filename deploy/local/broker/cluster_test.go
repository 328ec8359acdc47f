package broker

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nkeys"
	"github.com/stretchr/testify/require"

	"serein.app/services/platform/bus"
	"serein.app/services/testkit"
	"serein.app/services/testkit/pki"
)

// The brokers of a cluster are not in this process; what they are given says the same as Start does here.
func TestTheBrokersOfAClusterKeepWhatThisOneKeeps(t *testing.T) {
	t.Parallel()
	for overlay, brokers := range map[string]int{"dev": 1, "prod": 3} {
		options := clusterOptions(t, overlay)
		require.True(t, options.JetStream, overlay)
		require.True(t, options.SyncAlways, overlay)
		require.Equal(t, "/data", options.StoreDir, overlay)
		require.EqualValues(t, 256<<10, options.MaxPayload, overlay)
		require.GreaterOrEqual(t, options.JetStreamMaxStore, int64(len(testkit.Services()))*bus.StoredBytes, overlay)
		require.Len(t, options.Nkeys, len(testkit.Services()), "nobody but the services is let in")
		require.Empty(t, options.NoAuthUser, overlay)
		if brokers > 1 {
			require.Len(t, options.Routes, brokers)
			require.NotNil(t, options.TLSConfig, "clients come by TLS alone")
			require.NotNil(t, options.Cluster.TLSConfig)
			require.NotNil(t, options.Cluster.TLSConfig.ClientCAs, "a broker proves that it is one")
		}
	}
}

// clusterOptions reads an overlay's configuration as nats-server does, with keys and certificates that a cluster's secrets would have.
func clusterOptions(t *testing.T, overlay string) *server.Options {
	t.Helper()
	folder := t.TempDir()
	text, err := os.ReadFile(filepath.Join(testkit.Repository(t), "deploy/k8s/overlays", overlay, "nats.conf"))
	require.NoError(t, err)
	certs := pki.New(t).Issue(folder, "nats", time.Now().Add(time.Hour))
	conf := strings.NewReplacer("$POD_NAME", "nats-0", "/etc/nats-tls/tls.crt", certs.Cert, "/etc/nats-tls/tls.key", certs.Key, "/etc/nats-tls/ca.crt", certs.CA).Replace(string(text))
	require.NoError(t, os.WriteFile(filepath.Join(folder, "nats.conf"), []byte(conf), 0o600))
	var members []bus.Member
	for _, service := range testkit.Services() {
		pair, err := nkeys.CreateUser()
		require.NoError(t, err)
		public, err := pair.PublicKey()
		require.NoError(t, err)
		members = append(members, bus.Member{Service: service, Key: public})
	}
	access, err := bus.AccessConfig(members)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(folder, "access.conf"), []byte(access), 0o600))
	options, err := server.ProcessConfigFile(filepath.Join(folder, "nats.conf"))
	require.NoError(t, err)
	return options
}
