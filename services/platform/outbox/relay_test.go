package outbox_test

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/stretchr/testify/require"

	eventsv1 "serein.app/proto/gen/serein/events/v1"
	"serein.app/services/platform/bus"
	"serein.app/services/platform/outbox"
	"serein.app/services/testkit"
	"serein.app/services/testkit/natstest"
)

// lockQueries counts how often a pool has asked for the relays' lock.
type lockQueries struct {
	atomic.Int64
	connections atomic.Int64
}

// counted is a pool like another, whose questions are counted.
func counted(t *testing.T, like *pgxpool.Pool) (*lockQueries, *pgxpool.Pool) {
	t.Helper()
	asks := new(lockQueries)
	cfg := like.Config()
	cfg.ConnConfig.Tracer = asks
	cfg.AfterConnect = func(context.Context, *pgx.Conn) error { asks.connections.Add(1); return nil }
	pool, err := pgxpool.NewWithConfig(context.Background(), cfg)
	require.NoError(t, err)
	t.Cleanup(pool.Close)
	return asks, pool
}

func (q *lockQueries) TraceQueryStart(ctx context.Context, _ *pgx.Conn, query pgx.TraceQueryStartData) context.Context {
	if strings.Contains(query.SQL, "pg_try_advisory_lock") {
		q.Add(1)
	}
	return ctx
}

func (*lockQueries) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

// replica runs a second relay on the publisher's database. Its broker is its own, so that what it
// publishes is seen there: the broker of the first would drop what it knows.
func (b *bundle) replica() (asks *lockQueries, stream func() *jetstream.StreamInfo) {
	b.t.Helper()
	broker := natstest.New(b.t)
	connection, err := bus.Connect(broker.URL, "identity", testkit.Logger(b.t))
	require.NoError(b.t, err)
	b.t.Cleanup(connection.Close)
	asks, pool := counted(b.t, b.from.Pool)
	second := &bundle{t: b.t, out: outbox.New(pool, connection, "identity", testkit.Logger(b.t), time.Now)}
	second.work()

	conn, err := nats.Connect(broker.URL)
	require.NoError(b.t, err)
	b.t.Cleanup(conn.Close)
	js, err := jetstream.New(conn)
	require.NoError(b.t, err)
	return asks, func() *jetstream.StreamInfo {
		found, err := js.Stream(b.t.Context(), bus.StreamName("identity"))
		if err != nil {
			require.ErrorIs(b.t, err, jetstream.ErrStreamNotFound)
			return nil
		}
		return found.CachedInfo()
	}
}

func TestOneRelayAtATimeWorksOnADatabaseAndAnotherTakesOver(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.register("one")
	b.eventually("one")
	asks, second := b.replica()
	require.Eventually(t, func() bool { return asks.Load() >= 1 }, patience, look)
	b.register("two")
	b.eventually("one", "two")
	require.Eventually(t, func() bool { return asks.Load() >= 2 }, patience, look, "it was refused, and asks again")
	b.published()
	require.Nil(t, second(), "two relays would publish twice, and in any order")

	b.halt()
	b.register("three")
	require.Eventually(t, func() bool { s := second(); return s != nil && s.State.Msgs > 0 }, patience, look)
	b.published()
}

// B20: what waits costs the database nothing to speak of.
func TestARelayThatFollowsKeepsItsConnectionAndOneWithoutBrokerAsksNothing(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.register("one")
	b.eventually("one")
	asks, _ := b.replica()
	require.Eventually(t, func() bool { return asks.Load() >= 3 }, patience, look)
	require.EqualValues(t, 1, asks.connections.Load(), "one for all its questions")

	lonely := testkit.Postgres(t, "identity", migrate)
	broker := natstest.New(t)
	broker.Stop()
	connection, err := bus.Connect(broker.URL, "identity", testkit.Logger(t))
	require.NoError(t, err)
	t.Cleanup(connection.Close)
	asks, pool := counted(t, lonely.Pool)
	second := &bundle{t: t, out: outbox.New(pool, connection, "identity", testkit.Logger(t), time.Now)}
	second.work()
	b.register("two")
	b.eventually("one", "two")
	require.Zero(t, asks.Load())
	require.Zero(t, asks.connections.Load())
	broker.Start()
	require.Eventually(t, func() bool { return asks.Load() == 1 }, patience, look)
}

// An event that the broker refuses holds up those behind it: noted as published it would be lost,
// overtaken an aggregate's events would lose their order.
func TestWhatTheBrokerRefusesWaitsWithAllBehindIt(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.halt()
	for _, s := range []string{subject, "serein.elsewhere.user.registered.v1", subject} {
		_, err := b.from.Pool.Exec(t.Context(), "INSERT INTO outbox (id, subject, payload) VALUES (gen_random_uuid(), $1, '')", s)
		require.NoError(t, err)
	}
	b.work()
	var noted []bool
	require.Eventually(t, func() bool {
		err := b.from.Pool.QueryRow(t.Context(), "SELECT array_agg(published_at IS NOT NULL ORDER BY seq) FROM outbox").Scan(&noted)
		return err == nil && noted[0]
	}, patience, look)
	require.Equal(t, []bool{true, false, false}, noted)
}

// row writes an event with this id that was created, and published where that is given, so long ago.
func (b *bundle) row(id uuid.UUID, uid, created, published string) {
	b.t.Helper()
	row, err := b.out.Row(b.t.Context(), outbox.Event{Aggregate: uid, UID: uid, Message: &eventsv1.UserRegistered{Uid: uid}})
	require.NoError(b.t, err)
	_, err = b.from.Pool.Exec(b.t.Context(),
		"INSERT INTO outbox (id, subject, payload, created_at, published_at) VALUES ($1, $2, $3, "+ago(created)+", "+ago(published)+")",
		id, row.Subject, row.Payload)
	require.NoError(b.t, err)
}

func TestEventsLeaveInTheOrderOfTheirChangesWhateverTheirIDs(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.halt()
	for i, uid := range []string{"one", "two", "three"} {
		b.row(uuid.UUID{byte(0xff - i)}, uid, "0 seconds", "")
	}
	b.work()
	b.eventually("one", "two", "three")
}

func TestANewStreamGetsTheEventsThatStreamsStillKeepAndNoOlder(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.halt()
	b.row(uuid.New(), "too old", "31 days", "31 days")
	b.row(uuid.New(), "kept", "29 days", "29 days")
	b.row(uuid.New(), "by a clock ahead", "-20 seconds", "-20 seconds")
	b.work()
	b.register("new")
	b.eventually("kept", "by a clock ahead", "new")
	b.published()
	var again int
	require.NoError(t, b.from.Pool.QueryRow(t.Context(), "SELECT count(*) FROM outbox WHERE published_at > now() - interval '1 day'").Scan(&again))
	require.Equal(t, 3, again)
}

// B20: a database that is away is asked ever more seldom, and at once again after it had been there.
func TestFailuresOfTheRelayWaitLongerEachTimeUntilItHadWorkedForAWhile(t *testing.T) {
	t.Parallel()
	connection, err := bus.Connect(natstest.New(t).URL, "identity", testkit.Logger(t))
	require.NoError(t, err)
	t.Cleanup(connection.Close)
	away, err := pgxpool.New(t.Context(), "postgres://identity@127.0.0.1:1/identity")
	require.NoError(t, err)
	t.Cleanup(away.Close)
	now, attemptTakes := time.Unix(0, 0), time.Duration(0)
	out := outbox.New(away, connection, "identity", testkit.Logger(t), func() time.Time {
		now = now.Add(attemptTakes)
		return now
	})
	ctx, stop := context.WithCancel(t.Context())
	var waits []time.Duration
	out.Rest(func(_ context.Context, d time.Duration) {
		waits = append(waits, d)
		attemptTakes = 0
		switch len(waits) {
		case 6:
			attemptTakes = 10 * time.Second // it leads, and fails then
		case 8:
			stop()
		}
	})
	require.NoError(t, out.Run(ctx))
	const s = time.Second
	require.Equal(t, []time.Duration{s / 2, s, 2 * s, 4 * s, 8 * s, 8 * s, s / 2, s}, waits)
}
