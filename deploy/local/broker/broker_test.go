package broker

import (
	"net"
	"testing"

	"github.com/nats-io/nkeys"
	"github.com/stretchr/testify/require"

	"serein.app/services/platform/bus"
	"serein.app/services/platform/config"
	"serein.app/services/testkit"
)

// Streams reserve their room: with less of it the last service's events would never leave, or a
// dead letter of it would not be kept.
func TestTheBrokerHasRoomForExactlyTheStreamsItIsStartedFor(t *testing.T) {
	t.Parallel()
	var members []bus.Member
	keys := map[string]config.Secret{}
	for _, service := range []string{"first", "second", "third", "fourth"} {
		pair, err := nkeys.CreateUser()
		require.NoError(t, err)
		seed, err := pair.Seed()
		require.NoError(t, err)
		public, err := pair.PublicKey()
		require.NoError(t, err)
		members, keys[service] = append(members, bus.Member{Service: service, Key: public}), config.Secret(seed)
	}
	access, err := bus.AccessConfig(members)
	require.NoError(t, err)
	url := start(t, Config{Dir: t.TempDir(), Services: 3, Access: access})
	for service, room := range map[string]bool{"first": true, "second": true, "third": true} {
		declare(t, url, service, keys[service], room)
	}
	declare(t, url, "fourth", keys["fourth"], false)
}

func TestABrokerThatLetsEverybodyInIsNotStarted(t *testing.T) {
	t.Parallel()
	_, err := Start(Config{Dir: t.TempDir(), Services: 1})
	require.Error(t, err)
}

func start(t *testing.T, c Config) (url string) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	address, ok := listener.Addr().(*net.TCPAddr)
	require.True(t, ok)
	require.NoError(t, listener.Close())
	c.Port = address.Port
	nats, err := Start(c)
	require.NoError(t, err)
	t.Cleanup(func() { nats.Shutdown(); nats.WaitForShutdown() })
	return nats.ClientURL()
}

func declare(t *testing.T, url, service string, key config.Secret, room bool) {
	t.Helper()
	b, err := bus.Connect(url, service, testkit.Logger(t), bus.With(bus.Config{NKey: key}))
	require.NoError(t, err)
	t.Cleanup(b.Close)
	_, err = b.EnsureStream(t.Context(), service)
	if !room {
		require.ErrorContains(t, err, "insufficient storage")
		return
	}
	require.NoError(t, err, service)
	require.NoError(t, b.EnsureDeadLetters(t.Context()), service)
}
