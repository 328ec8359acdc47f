package broker

import (
	"net"
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/services/platform/bus"
	"serein.app/services/testkit"
)

// Streams reserve their room: with less of it the last service's events would never leave.
func TestTheBrokerHasRoomForExactlyTheStreamsItIsStartedFor(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	address, ok := listener.Addr().(*net.TCPAddr)
	require.True(t, ok)
	require.NoError(t, listener.Close())
	nats, err := Start(address.Port, t.TempDir(), 3)
	require.NoError(t, err)
	t.Cleanup(func() { nats.Shutdown(); nats.WaitForShutdown() })

	b, err := bus.Connect(nats.ClientURL(), "test", testkit.Logger(t))
	require.NoError(t, err)
	t.Cleanup(b.Close)
	for _, service := range []string{"first", "second", "third"} {
		_, err := b.EnsureStream(t.Context(), service)
		require.NoError(t, err, service)
	}
	_, err = b.EnsureStream(t.Context(), "fourth")
	require.Error(t, err)
}
