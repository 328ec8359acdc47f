// Package natstest runs a NATS broker inside a test.
package natstest

import (
	"os"
	"testing"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/stretchr/testify/require"

	"serein.app/services/testkit"
	"serein.app/services/testkit/freeport"
)

// Server is a real NATS server with JetStream inside the test. It can be stopped, started on
// the same port, and robbed of all it stored.
type Server struct {
	// URL to connect to; it stays the same.
	URL  string
	t    testing.TB
	port int
	dir  string
	// access is who may do what; empty lets everybody do everything.
	access string
	nats   *server.Server
}

// New starts a broker and stops it after the test.
func New(tb testing.TB) *Server {
	tb.Helper()
	return Guarded(tb, "")
}

// Guarded is New for those that the configuration knows (bus.AccessConfig), and nobody else.
func Guarded(tb testing.TB, access string) *Server {
	tb.Helper()
	port, err := freeport.New()
	require.NoError(tb, err)
	b := &Server{t: tb, port: port, dir: tb.TempDir(), access: access}
	b.Start()
	b.URL = b.nats.ClientURL()
	tb.Cleanup(b.Stop)
	return b
}

// Start runs the broker on what it stored before.
func (b *Server) Start() {
	b.t.Helper()
	options := &server.Options{}
	if b.access != "" {
		require.NoError(b.t, options.ProcessConfigString(b.access))
	}
	options.Host, options.Port, options.NoSigs, options.NoLog = "127.0.0.1", b.port, true, true
	options.JetStream, options.StoreDir, options.SyncAlways = true, b.dir, true
	nats, err := server.NewServer(options)
	require.NoError(b.t, err)
	nats.Start()
	require.True(b.t, nats.ReadyForConnections(testkit.Patience), "the broker did not start")
	b.nats = nats
}

// Clients is how many are connected.
func (b *Server) Clients() int { return b.nats.NumClients() }

// Stop ends the broker; what it stored stays.
func (b *Server) Stop() {
	b.nats.Shutdown()
	b.nats.WaitForShutdown()
}

// Dir is where it stores.
func (b *Server) Dir() string { return b.dir }

// Wipe deletes everything the broker stored; stop it first.
func (b *Server) Wipe() {
	b.t.Helper()
	require.NoError(b.t, os.RemoveAll(b.dir))
}
