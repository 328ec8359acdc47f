package stack

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nkeys"
	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"
)

// opened is a stack of which only the broker and the cache run.
func opened(t *testing.T) *Stack {
	t.Helper()
	s, err := Open(Options{DataDir: t.TempDir()})
	require.NoError(t, err)
	require.NoError(t, s.assign())
	require.NoError(t, s.startAll(t.Context(), []*part{{name: "nats", start: s.startBroker}, {name: "redis", start: s.startCache}}))
	t.Cleanup(func() { require.NoError(t, s.Stop()) })
	return s
}

func TestTheBrokerAndTheCacheLetNobodyInButTheServices(t *testing.T) {
	t.Parallel()
	s := opened(t)
	_, err := nats.Connect(s.natsURL())
	require.ErrorIs(t, err, nats.ErrAuthorization)
	stranger := redis.NewClient(&redis.Options{Addr: s.loopback("redis")})
	t.Cleanup(func() { _ = stranger.Close() })
	require.Error(t, stranger.Ping(t.Context()).Err())

	options, err := redis.ParseURL(s.redisURL())
	require.NoError(t, err)
	gateway := redis.NewClient(options)
	t.Cleanup(func() { _ = gateway.Close() })
	require.NoError(t, gateway.Ping(t.Context()).Err())
	for _, name := range Programs() {
		s.client(t, name)
	}
}

// What broke once: an event for an invented member, published by whoever reached the broker, gave
// credits.
func TestNoOtherServiceSaysThatAMemberIsConfirmed(t *testing.T) {
	t.Parallel()
	s := opened(t)
	identity, err := jetstream.New(s.client(t, "identity"))
	require.NoError(t, err)
	stream, err := identity.CreateStream(t.Context(), jetstream.StreamConfig{Name: "serein_identity", Subjects: []string{"serein.identity.>"}})
	require.NoError(t, err)
	for _, name := range Programs() {
		if name == "identity" {
			continue
		}
		_, err := s.client(t, name).Request("serein.identity.user.confirmed.v1", nil, 100*time.Millisecond)
		require.Error(t, err, name)
	}
	info, err := stream.Info(t.Context())
	require.NoError(t, err)
	require.Zero(t, info.State.Msgs)
	_, err = identity.Publish(t.Context(), "serein.identity.user.confirmed.v1", nil)
	require.NoError(t, err)
}

func TestTheKeysOfTheBrokerAreKeptToTheirOwnerAndPrintedNowhere(t *testing.T) {
	t.Parallel()
	s := opened(t)
	require.NoError(t, s.settings.save())
	path := filepath.Join(s.options.DataDir, "settings.json")
	file, err := os.Stat(path)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), file.Mode().Perm())
	content, err := os.ReadFile(path)
	require.NoError(t, err)
	var kept settings
	require.NoError(t, json.Unmarshal(content, &kept))
	access, err := s.BrokerAccess()
	require.NoError(t, err)
	for _, name := range Programs() {
		seed := kept.Secrets["nats."+name]
		require.NotEmpty(t, seed, name)
		require.NotContains(t, access, seed)
		public, err := s.brokerKey(name)
		require.NoError(t, err)
		require.Contains(t, access, public, "what is printed is what the broker runs with")
	}
}

// client is a service's connection to the broker.
func (s *Stack) client(t *testing.T, name string) *nats.Conn {
	t.Helper()
	seed, err := s.settings.nkey(name)
	require.NoError(t, err)
	pair, err := nkeys.FromSeed([]byte(seed))
	require.NoError(t, err)
	public, err := pair.PublicKey()
	require.NoError(t, err)
	conn, err := nats.Connect(s.natsURL(), nats.Nkey(public, pair.Sign))
	require.NoError(t, err, name)
	t.Cleanup(conn.Close)
	return conn
}
