package outbox_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	eventsv1 "serein.app/proto/gen/serein/events/v1"
	"serein.app/services/platform/bus"
	"serein.app/services/platform/inbox"
	"serein.app/services/platform/outbox"
	"serein.app/services/platform/postgres"
	"serein.app/services/testkit"
	"serein.app/services/testkit/natstest"
)

const (
	subject  = "serein.identity.user.registered.v1"
	consumer = "mail-user-registered"
	patience = 2 * time.Minute
	look     = 20 * time.Millisecond
)

func migrate(ctx context.Context, url string) error {
	return postgres.Migrate(ctx, url, fstest.MapFS{"migrations/001_effects.sql": {Data: []byte("-- +goose Up\nCREATE TABLE effects (n serial PRIMARY KEY, uid text NOT NULL);\n")}})
}

// bundle is a publisher and a consumer, each with its own database, and their broker.
type bundle struct {
	t          *testing.T
	broker     *natstest.Server
	from, to   testkit.DB
	out        *outbox.Outbox
	halt       func()
	mu         sync.Mutex
	deliveries int
	fail       func(delivery int) error
}

func setup(t *testing.T) *bundle {
	t.Helper()
	b := &bundle{t: t, broker: natstest.New(t), from: testkit.Postgres(t, "identity", migrate), to: testkit.Postgres(t, "mail", migrate)}
	b.fail = func(int) error { return nil }
	log := testkit.Logger(t)
	publisher, err := bus.Connect(b.broker.URL, "identity", log)
	require.NoError(t, err)
	t.Cleanup(publisher.Close)
	reader, err := bus.Connect(b.broker.URL, "mail", log)
	require.NoError(t, err)
	t.Cleanup(reader.Close)
	b.out = outbox.New(b.from.Pool, publisher, "identity", log, time.Now)

	b.work()
	ctx, cancel := context.WithCancel(context.Background())
	var loops sync.WaitGroup
	loops.Go(func() {
		_ = reader.Consume(ctx, bus.Consumer{Name: consumer, Subject: subject, Handle: b.handle})
	})
	t.Cleanup(func() { cancel(); loops.Wait() })
	return b
}

// work runs the relay until halt.
func (b *bundle) work() {
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = b.out.Run(ctx)
	}()
	b.halt = sync.OnceFunc(func() { cancel(); <-ended })
	b.t.Cleanup(b.halt)
}

func (b *bundle) handle(ctx context.Context, event *eventsv1.Envelope) error {
	b.mu.Lock()
	b.deliveries++
	n := b.deliveries
	b.mu.Unlock()
	err := postgres.InTx(ctx, b.to.Pool, func(ctx context.Context, tx pgx.Tx) error {
		first, err := inbox.Once(ctx, tx, consumer, event.GetId())
		if err != nil || !first {
			return err
		}
		payload := new(eventsv1.UserRegistered)
		if err := event.GetPayload().UnmarshalTo(payload); err != nil {
			return err
		}
		_, err = tx.Exec(ctx, "INSERT INTO effects (uid) VALUES ($1)", payload.GetUid())
		return err
	})
	// After the commit: what fails here is delivered again though its effect stands.
	return errors.Join(err, b.fail(n))
}

func (b *bundle) register(uid string) {
	b.t.Helper()
	err := postgres.InTx(b.t.Context(), b.from.Pool, func(ctx context.Context, tx pgx.Tx) error {
		return b.out.Add(ctx, tx, outbox.Event{Aggregate: uid, UID: uid, Message: &eventsv1.UserRegistered{Uid: uid}})
	})
	require.NoError(b.t, err)
}

func (b *bundle) effects() []string {
	rows, err := b.to.Pool.Query(context.Background(), "SELECT uid FROM effects ORDER BY n")
	if err != nil {
		return nil
	}
	uids, _ := pgx.CollectRows(rows, pgx.RowTo[string])
	return uids
}

func (b *bundle) handled() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.deliveries
}

func (b *bundle) eventually(want ...string) {
	b.t.Helper()
	require.Eventually(b.t, func() bool { return fmt.Sprint(b.effects()) == fmt.Sprint(want) }, patience, look, "effects %v", want)
}

func TestAnEventLeavesWithItsChangeAndNeverWithARollback(t *testing.T) {
	t.Parallel()
	b := setup(t)
	undone := errors.New("undone")
	err := postgres.InTx(t.Context(), b.from.Pool, func(ctx context.Context, tx pgx.Tx) error {
		require.NoError(t, b.out.Add(ctx, tx, outbox.Event{Message: &eventsv1.UserRegistered{Uid: "never"}}))
		return undone
	})
	require.ErrorIs(t, err, undone)
	b.register("one")
	b.register("two")
	b.eventually("one", "two")
}

func TestADuplicateDeliveryHasOneEffect(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.fail = func(delivery int) error {
		if delivery == 1 {
			return errors.New("the acknowledgement is lost")
		}
		return nil
	}
	b.register("one")
	require.Eventually(t, func() bool { return b.handled() >= 2 }, patience, look, "a duplicate was injected")
	b.eventually("one")
}

func TestWhileTheBrokerIsAwayNothingIsLost(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.register("before")
	b.eventually("before")
	b.broker.Stop()
	b.register("during")
	b.broker.Start()
	b.register("after")
	b.eventually("before", "during", "after")
}

func TestALostStreamIsPublishedAgainAndNothingHappensTwice(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.register("one")
	b.register("two")
	b.eventually("one", "two")
	seen := b.handled()
	b.broker.Stop()
	b.broker.Wipe()
	b.broker.Start()
	b.register("three")
	b.eventually("one", "two", "three")
	require.Eventually(t, func() bool { return b.handled() >= seen+3 }, patience, look, "the old events came again")
	b.eventually("one", "two", "three")
}

// No event is published afterwards, and a consumer has the stream created again before the relay sees
// that it was gone: the relay must notice the loss all the same.
func TestALostStreamIsNoticedWithoutANewEvent(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.register("one")
	b.eventually("one")
	seen := b.handled()
	b.broker.Stop()
	b.broker.Wipe()
	b.broker.Start()
	require.Eventually(t, func() bool { return b.handled() > seen }, patience, look, "the old event came again")
	b.eventually("one")
}

// A stream that was made by somebody else, and that holds events by now, is a new one still.
func TestARelayThatStartsAfterTheLossNoticesIt(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.register("one")
	b.eventually("one")
	b.halt()
	b.broker.Stop()
	b.broker.Wipe()
	b.broker.Start()
	otherService, err := bus.Connect(b.broker.URL, "other", testkit.Logger(t))
	require.NoError(t, err)
	t.Cleanup(otherService.Close)
	require.Eventually(t, func() bool {
		_, err := otherService.EnsureStream(t.Context(), "identity")
		return err == nil
	}, patience, look)
	seen := b.handled()
	b.register("two")
	_, err = otherService.Publish(t.Context(), bus.StreamName("identity"), []bus.Message{{ID: "x", Subject: "serein.identity.user.other.v1"}})
	require.NoError(t, err)
	b.work()
	b.eventually("one", "two")
	require.Eventually(t, func() bool { return b.handled() >= seen+2 }, patience, look, "the old event came again")
}

func TestReplayPublishesAgainWhatWasPublishedSinceAlsoAMomentAgo(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.register("one")
	b.eventually("one")
	b.row(uuid.New(), "before", "2 hours", "2 hours")
	b.published() // a consumer may be faster than the relay's note
	seen := b.handled()
	n, err := outbox.Replay(t.Context(), b.from.Pool, time.Now().Add(-time.Hour))
	require.NoError(t, err)
	require.EqualValues(t, 1, n)
	require.Eventually(t, func() bool { return b.handled() > seen }, patience, look, "it came again, though the broker has just seen it")
	b.published()
	b.eventually("one")
}

// published waits until the relay has noted every row as published.
func (b *bundle) published() {
	b.t.Helper()
	require.Eventually(b.t, func() bool {
		var open int
		err := b.from.Pool.QueryRow(context.Background(), "SELECT count(*) FROM outbox WHERE published_at IS NULL").Scan(&open)
		return err == nil && open == 0
	}, patience, look)
}
