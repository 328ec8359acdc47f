package broker

import (
	"bufio"
	"crypto/tls"
	"net"
	"os"
	"path/filepath"
	"strconv"
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

// cert-manager renews a broker's certificate while it runs, and reload.sh sends it SIGHUP.
func TestABrokerOfTheClusterShowsARenewedCertificateOnceItReloads(t *testing.T) {
	t.Parallel()
	authority, folder := pki.New(t), t.TempDir()
	authority.Issue(folder, "nats", time.Now().Add(time.Hour))
	path := writeClusterConfig(t, "prod", folder)
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	alone := strings.NewReplacer("port: 4222", "port: -1", "http: 8222", "http: -1", "port: 6222", "port: -1", "store_dir: /data", "store_dir: "+strconv.Quote(filepath.Join(folder, "data")))
	require.NoError(t, os.WriteFile(path, []byte(alone.Replace(string(text))), 0o600))
	options, err := server.ProcessConfigFile(path)
	require.NoError(t, err)
	options.NoLog, options.NoSigs = true, true
	broker, err := server.NewServer(options)
	require.NoError(t, err)
	broker.Start()
	t.Cleanup(func() { broker.Shutdown(); broker.WaitForShutdown() })
	until := time.Now().Add(2 * time.Hour).Truncate(time.Second)
	authority.Issue(folder, "nats", until)
	require.NotEqual(t, until.UTC(), shownUntil(t, broker))
	require.NoError(t, broker.Reload())
	require.Equal(t, until.UTC(), shownUntil(t, broker))
}

// shownUntil is the end of the certificate that a broker shows to its clients.
func shownUntil(t *testing.T, broker *server.Server) time.Time {
	t.Helper()
	require.True(t, broker.ReadyForConnections(30*time.Second))
	conn, err := net.Dial("tcp", broker.Addr().String())
	require.NoError(t, err)
	defer func() { _ = conn.Close() }()
	_, err = bufio.NewReader(conn).ReadString('\n') // INFO comes in clear, and TLS begins after it
	require.NoError(t, err)
	secure := tls.Client(conn, &tls.Config{InsecureSkipVerify: true})
	require.NoError(t, secure.HandshakeContext(t.Context()))
	return secure.ConnectionState().PeerCertificates[0].NotAfter
}

// clusterOptions reads an overlay's configuration as nats-server does, with keys and certificates that a cluster's secrets would have.
func clusterOptions(t *testing.T, overlay string) *server.Options {
	t.Helper()
	folder := t.TempDir()
	pki.New(t).Issue(folder, "nats", time.Now().Add(time.Hour))
	options, err := server.ProcessConfigFile(writeClusterConfig(t, overlay, folder))
	require.NoError(t, err)
	return options
}

// writeClusterConfig writes an overlay's configuration into a folder that has the certificate of nats, with keys beside it.
func writeClusterConfig(t *testing.T, overlay, folder string) (path string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(testkit.Repository(t), "deploy/k8s/overlays", overlay, "nats.conf"))
	require.NoError(t, err)
	names := strings.NewReplacer("$POD_NAME", "nats-0", "/etc/nats-tls/tls.crt", filepath.Join(folder, "nats.pem"),
		"/etc/nats-tls/tls.key", filepath.Join(folder, "nats.key"), "/etc/nats-tls/ca.crt", filepath.Join(folder, "nats.ca"))
	path = filepath.Join(folder, "nats.conf")
	require.NoError(t, os.WriteFile(path, []byte(names.Replace(string(text))), 0o600))
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
	return path
}
