package bus_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/anypb"

	eventsv1 "serein.app/proto/gen/serein/events/v1"
	"serein.app/services/platform/bus"
	"serein.app/services/platform/inbox"
	"serein.app/services/platform/postgres"
	"serein.app/services/testkit"
)

// effects is a consumer's database in which each event leaves a row.
type effects struct {
	*harness
	db testkit.DB
}

// newEffects has a broker that gives an event again when it was not acknowledged for so long.
func newEffects(t *testing.T, ack time.Duration) *effects {
	t.Helper()
	migrate := func(ctx context.Context, url string) error {
		return postgres.Migrate(ctx, url, fstest.MapFS{"migrations/001_effects.sql": {
			Data: []byte("-- +goose Up\nCREATE TABLE effects (at bigserial PRIMARY KEY, uid uuid NOT NULL, n int NOT NULL);\n"),
		}})
	}
	e := &effects{harness: newHarness(t), db: testkit.Postgres(t, "mail", migrate)}
	e.ack = ack
	return e
}

// tell publishes event number n of a member.
func (e *effects) tell(uid uuid.UUID, n int) {
	e.t.Helper()
	payload, err := anypb.New(&eventsv1.UserRegistered{Username: strconv.Itoa(n)})
	require.NoError(e.t, err)
	id := uuid.NewString()
	data, err := proto.Marshal(&eventsv1.Envelope{Id: id, Uid: uid.String(), AggregateId: uid.String(), Payload: payload})
	require.NoError(e.t, err)
	require.Eventually(e.t, func() bool {
		stored, err := e.bus.Publish(context.Background(), bus.StreamName(service), []bus.Message{{ID: id, Subject: subject, Data: data}})
		return err == nil && stored == 1
	}, patience, look)
}

// replica is a process that consumes; kill leaves behind what it holds, as a crash does.
func (e *effects) replica(apply func(n int) error) (kill, stop func()) {
	e.t.Helper()
	b := e.connect()
	b.Hurry(5*time.Second, e.ack)
	pool, err := pgxpool.NewWithConfig(context.Background(), e.db.Pool.Config())
	require.NoError(e.t, err)
	c, err := inbox.Consumer(pool, "mail", func(ctx context.Context, tx pgx.Tx, event inbox.Event[*eventsv1.UserRegistered]) error {
		n, err := strconv.Atoi(event.Payload.GetUsername())
		if err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, "INSERT INTO effects (uid, n) VALUES ($1, $2)", event.UID, n); err != nil {
			return err
		}
		return apply(n)
	})
	require.NoError(e.t, err)
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = b.Consume(ctx, c)
	}()
	stop = sync.OnceFunc(func() { cancel(); <-ended; pool.Close() })
	e.t.Cleanup(stop)
	return func() { b.Close(); stop() }, stop
}

// of gives the numbers of a member's events in the order of their effects.
func (e *effects) of(uid uuid.UUID) []int {
	rows, err := e.db.Pool.Query(context.Background(), "SELECT n FROM effects WHERE uid = $1 ORDER BY at", uid)
	require.NoError(e.t, err)
	numbers, err := pgx.CollectRows(rows, pgx.RowTo[int])
	require.NoError(e.t, err)
	return numbers
}

func (e *effects) count() (n int) {
	require.NoError(e.t, e.db.Pool.QueryRow(context.Background(), "SELECT count(*) FROM effects").Scan(&n))
	return n
}

func upTo(n int) []int {
	numbers := make([]int, n)
	for i := range numbers {
		numbers[i] = i
	}
	return numbers
}

func TestEventsThatWaitAreAppliedInOneTransaction(t *testing.T) {
	t.Parallel()
	e := newEffects(t, patience)
	uid := uuid.New()
	for n := range 50 {
		e.tell(uid, n)
	}
	e.replica(func(int) error { return nil })
	e.eventually(func() bool { return e.count() == 50 })
	require.Equal(t, upTo(50), e.of(uid))
	var transactions int
	require.NoError(t, e.db.Pool.QueryRow(t.Context(), "SELECT count(DISTINCT xmin::text) FROM effects").Scan(&transactions))
	require.Less(t, transactions, 10)
}

// An event that cannot be applied fails alone. The other events of its batch are applied; later events of the same
// aggregate wait, and are applied after the failed event is given up.
func TestAnEventThatFailsAmongOthersFailsAloneAndHoldsUpItsAggregateAlone(t *testing.T) {
	t.Parallel()
	e := newEffects(t, patience)
	poisoned, other := uuid.New(), uuid.New()
	for n := range 10 {
		e.tell(poisoned, 100+n)
		e.tell(other, n)
	}
	var attempts atomic.Int64
	e.replica(func(n int) error {
		if n != 103 {
			return nil
		}
		attempts.Add(1)
		return errors.New("it cannot be applied")
	})
	e.eventually(func() bool { return e.count() == 19 })
	require.Equal(t, upTo(10), e.of(other))
	require.Equal(t, []int{100, 101, 102, 104, 105, 106, 107, 108, 109}, e.of(poisoned))
	require.EqualValues(t, bus.MaxDeliveries+1, attempts.Load(), "once beside the others, then alone")
	require.Len(t, e.dead(), 1)
	e.eventually(func() bool { return e.unacknowledged() == 0 })
}

func TestOneReplicaAtATimeReads(t *testing.T) {
	t.Parallel()
	e := newEffects(t, patience)
	var busy sync.Mutex
	apply := func(int) error {
		if !busy.TryLock() {
			t.Error("two at once")
			return nil
		}
		defer busy.Unlock()
		return nil
	}
	for range 3 {
		e.replica(apply)
	}
	uid := uuid.New()
	for n := range 200 {
		e.tell(uid, n)
	}
	e.eventually(func() bool { return e.count() == 200 })
	require.Equal(t, upTo(200), e.of(uid))
}

// Whatever dies, and whenever: every event has its effect once, and a member's in their order.
func TestEveryEventHasItsEffectOnceAndInOrderWhateverDies(t *testing.T) {
	t.Parallel()
	const members, each = 8, 60
	e := newEffects(t, time.Second)
	uids := make([]uuid.UUID, members)
	for i := range uids {
		uids[i] = uuid.New()
	}
	told := make(chan struct{})
	go func() {
		defer close(told)
		for n := range each {
			for _, uid := range uids {
				e.tell(uid, n)
			}
		}
	}()
	moody := func(int) error {
		if rand.IntN(50) == 0 {
			return errors.New("not now")
		}
		return nil
	}
	kill, stop := e.replica(moody)
	for deaths := 1; ; deaths++ {
		before := e.count()
		e.eventually(func() bool { return e.count() >= min(before+members*each/8, members*each) }, fmt.Sprint("after deaths: ", deaths))
		if e.count() == members*each {
			break
		}
		switch deaths % 3 {
		case 0:
			stop()
		case 1:
			kill()
		default:
			e.broker.Stop()
			e.broker.Start()
			continue
		}
		kill, stop = e.replica(moody)
	}
	<-told
	for _, uid := range uids {
		require.Equal(t, upTo(each), e.of(uid))
	}
	require.Empty(t, e.dead())
}
