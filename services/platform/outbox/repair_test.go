package outbox_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"

	eventsv1 "serein.app/proto/gen/serein/events/v1"
	"serein.app/services/platform/bus"
	"serein.app/services/platform/outbox"
	"serein.app/services/platform/postgres"
	"serein.app/services/testkit"
	"serein.app/services/testkit/natstest"
)

// shedding is a publisher whose stream is small, and a consumer that comes and goes. Its relay and its repair go round
// when the test says so.
type shedding struct {
	t       *testing.T
	db      testkit.DB
	out     *outbox.Outbox
	owner   *bus.Bus
	reader  *bus.Bus
	mu      sync.Mutex
	handled map[string]int
}

const smallStream = 20_000

func newShedding(t *testing.T) *shedding {
	t.Helper()
	broker := natstest.New(t)
	s := &shedding{t: t, db: testkit.Postgres(t, "identity", migrate), handled: map[string]int{}}
	var err error
	s.owner, err = bus.Connect(broker.URL, "identity", testkit.Logger(t), bus.With(bus.Config{StreamBytes: smallStream}))
	require.NoError(t, err)
	t.Cleanup(s.owner.Close)
	s.reader, err = bus.Connect(broker.URL, "mail", testkit.Logger(t))
	require.NoError(t, err)
	t.Cleanup(s.reader.Close)
	s.out = outbox.New(s.db.Pool, s.owner, "identity", testkit.Logger(t), time.Now)
	require.Eventually(t, func() bool { return s.out.Prepare(t.Context()) == nil }, patience, look)
	return s
}

// tell writes and publishes events of half a kilobyte.
func (s *shedding) tell(from, to int, kind func(username string) proto.Message) {
	s.t.Helper()
	require.NoError(s.t, postgres.InTx(s.t.Context(), s.db.Pool, func(ctx context.Context, tx pgx.Tx) error {
		for n := from; n < to; n++ {
			event := outbox.Event{Aggregate: fmt.Sprint(n), UID: fmt.Sprint(n), Message: kind(strings.Repeat("x", 500))}
			if err := s.out.Add(ctx, tx, event); err != nil {
				return err
			}
		}
		return nil
	}))
	require.NoError(s.t, s.out.PublishAll(s.t.Context()))
}

// registered is what the consumer reads, confirmed what others fill the stream with.
func registered(username string) proto.Message { return &eventsv1.UserRegistered{Username: username} }

func confirmed(username string) proto.Message { return &eventsv1.UserConfirmed{Username: username} }

// read handles events until stop.
func (s *shedding) read() (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = s.reader.Consume(ctx, bus.Consumer{Name: consumer, Subject: subject, Handle: func(_ context.Context, e *eventsv1.Envelope) error {
			s.mu.Lock()
			defer s.mu.Unlock()
			s.handled[e.GetUid()]++
			return nil
		}})
	}()
	stop = sync.OnceFunc(func() { cancel(); <-ended })
	s.t.Cleanup(stop)
	return stop
}

func (s *shedding) distinct() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.handled)
}

func (s *shedding) count(sql string) (n int) {
	s.t.Helper()
	require.NoError(s.t, s.db.Pool.QueryRow(s.t.Context(), sql).Scan(&n))
	return n
}

// underway counts the events that a repair has made unpublished.
const underway = `SELECT count(*) FROM outbox WHERE published_at IS NULL`

// next has the repair bring its next portion, and answers how many events that is: 0 once the consumer misses nothing any more. A look at
// which the consumer has just no question open brings nothing, so that it looks again.
func (s *shedding) next() (portion int) {
	s.t.Helper()
	require.Eventually(s.t, func() bool {
		missing, err := s.out.RepairOnce(s.t.Context())
		portion = s.count(underway)
		return err == nil && (portion > 0 || !missing)
	}, patience, look)
	return portion
}

// A repair that is larger than what the stream takes, or that does not wait for its reader, sheds what it brings; one
// that brings an event again and again never ends.
func TestARepairWaitsForItsReaderIsSmallBesideItsStreamAndBringsEachEventOnce(t *testing.T) {
	t.Parallel()
	s := newShedding(t)
	stop := s.read()
	s.tell(0, 1, registered)
	require.Eventually(t, func() bool { return s.distinct() == 1 }, patience, look)
	stop()
	const events = 16
	s.tell(1, events, registered)
	s.tell(events, 100, confirmed)

	const again = `SELECT count(*) FROM outbox WHERE again_at IS NOT NULL`
	missing, err := s.out.RepairOnce(t.Context())
	require.NoError(t, err)
	require.True(t, missing)
	require.Zero(t, s.count(again), "nobody reads: what went out again would be shed again")

	s.read()
	brought := 0
	for portion := s.next(); portion > 0; portion = s.next() {
		require.LessOrEqual(t, s.count(`SELECT sum(octet_length(payload)) FROM outbox WHERE published_at IS NULL`), smallStream/4, "beside the stream it is small")
		_, err = s.out.RepairOnce(t.Context())
		require.NoError(t, err)
		require.Equal(t, portion, s.count(underway), "one portion at a time")
		brought += portion
		require.Equal(t, brought, s.count(again), "none goes out again twice")
		require.NoError(t, s.out.PublishAll(t.Context()))
	}
	require.Eventually(t, func() bool { return s.distinct() == events }, patience, look, "nothing was missed for good")
	missing, err = s.out.RepairOnce(t.Context())
	require.NoError(t, err)
	require.False(t, missing, "and the repair has ended")
}
