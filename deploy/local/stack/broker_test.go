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
	return openedWith(t, Options{DataDir: t.TempDir()})
}

func openedWith(t *testing.T, options Options) *Stack {
	t.Helper()
	s, err := Open(options)
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

// A fault of the past: anybody who reached the broker could publish an event for an invented member, and billing
// granted credits for it.
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

// consumers writes the file of further consumers, as an operator does before the start.
func consumers(t *testing.T, content string) Options {
	t.Helper()
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, consumersFile), []byte(content), 0o600))
	return Options{DataDir: dir}
}

func TestAConsumerOfTheListIsLetInToReadWhatItNames(t *testing.T) {
	t.Parallel()
	pair, err := nkeys.CreateUser()
	require.NoError(t, err)
	public, err := pair.PublicKey()
	require.NoError(t, err)
	s := openedWith(t, consumers(t, `[{"name": "auditor", "key": "`+public+`", "consumes": ["CreditsSpent", "UserDeleted"]}]`))
	conn, err := nats.Connect(s.natsURL(), nats.Nkey(public, pair.Sign))
	require.NoError(t, err)
	t.Cleanup(conn.Close)
	billing := s.client(t, "billing")
	for subject, heard := range map[string]bool{
		"serein_consumer.billing.auditor-credits-spent.serein.billing.credits.spent.v1":     true,
		"serein_consumer.billing.auditor-credits-granted.serein.billing.credits.granted.v1": false,
		"serein_consumer.billing.reports-credits-spent.serein.billing.credits.spent.v1":     false,
		"serein_consumer.billing.mail-credits-low.serein.billing.credits.low.v1":            false,
	} {
		asked, err := billing.SubscribeSync(subject)
		require.NoError(t, err)
		require.NoError(t, billing.Flush())
		require.NoError(t, conn.Publish(subject, nil))
		require.NoError(t, conn.Flush())
		_, err = asked.NextMsg(map[bool]time.Duration{true: time.Minute, false: 100 * time.Millisecond}[heard])
		require.Equal(t, heard, err == nil, subject)
	}
	access, err := s.BrokerAccess()
	require.NoError(t, err)
	require.Contains(t, access, public, "what is printed for other brokers has the list")
}

func TestTheKeyOfTheExampleIsForThisMachinesBrokerAlone(t *testing.T) {
	t.Parallel()
	s := opened(t)
	_ = s.client(t, ReportsConsumer) // it is let in here
	printed, err := s.BrokerAccess()
	require.NoError(t, err)
	key, err := s.brokerKey(ReportsConsumer)
	require.NoError(t, err)
	require.NotContains(t, printed, key)
}

func TestAListOfConsumersThatCannotBeMeantStopsTheStart(t *testing.T) {
	t.Parallel()
	for fault, content := range map[string]string{
		"not a list of consumers":          `{"name": "auditor"}`,
		`unknown field "consume"`:          `[{"name": "auditor", "consume": ["CreditsSpent"]}]`,
		`"CreditsSpend" is none of the`:    `[{"name": "auditor", "consumes": ["CreditsSpend"]}]`,
		"auditor has no public key":        `[{"name": "auditor", "key": "SUAX", "consumes": ["CreditsSpent"]}]`,
		"reads events by consumers alone":  `[{"name": "auditor", "key": "` + userKey(t) + `"}]`,
		"billing stands twice":             `[{"name": "billing", "key": "` + userKey(t) + `", "consumes": ["UserDeleted"]}]`,
		"is not small letters and digits":  `[{"name": "an auditor", "key": "` + userKey(t) + `", "consumes": ["UserDeleted"]}]`,
		"reports stands twice in the list": `[{"name": "reports", "key": "` + userKey(t) + `", "consumes": ["UserDeleted"]}]`,
	} {
		s, err := Open(consumers(t, content))
		require.NoError(t, err)
		_, err = s.startBroker(t.Context())
		require.ErrorContains(t, err, fault)
	}
}

func userKey(t *testing.T) string {
	t.Helper()
	pair, err := nkeys.CreateUser()
	require.NoError(t, err)
	public, err := pair.PublicKey()
	require.NoError(t, err)
	return public
}

func TestOnlyWhatThisMachineHasMadeIsHandedToAProgram(t *testing.T) {
	t.Parallel()
	s, err := Open(Options{DataDir: t.TempDir()})
	require.NoError(t, err)
	environ, err := s.ClientEnviron(ReportsClient)
	require.NoError(t, err)
	require.Equal(t, s.ClientSecret(ReportsClient), environ["CLIENT_SECRET"])
	_, err = s.ClientEnviron("somebody-elses")
	require.ErrorContains(t, err, "no client")
	require.NotContains(t, s.Secrets(), "client.somebody-elses")
	environ, err = s.ConsumerEnviron(ReportsConsumer)
	require.NoError(t, err)
	require.Equal(t, s.Secrets()["nats."+ReportsConsumer], environ["NATS_NKEY"])
	_, err = s.ConsumerEnviron("billing")
	require.ErrorContains(t, err, "no key")
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
