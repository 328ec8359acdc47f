package erasure_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"

	eventsv1 "serein.app/proto/gen/serein/events/v1"
	"serein.app/services/platform/bus"
	"serein.app/services/platform/erasure"
	"serein.app/services/platform/outbox"
	"serein.app/services/platform/postgres"
	"serein.app/services/platform/retention"
	"serein.app/services/testkit"
	"serein.app/services/testkit/natstest"
)

const patience = testkit.Patience

func migrate(ctx context.Context, url string) error {
	return postgres.Migrate(ctx, url, fstest.MapFS{"migrations/001_departed.sql": {Data: []byte("-- +goose Up\nCREATE TABLE departed (member bytea PRIMARY KEY, departed_at timestamptz NOT NULL);\n")}})
}

// harness is a service that tells of its members and erases them.
type harness struct {
	testkit.DB
	t      *testing.T
	broker *natstest.Server
	out    *outbox.Outbox
	stream jetstream.Stream
	eraser *erasure.Eraser
	work   func(erasure.Deletion) error
	relay  func()
}

func setup(t *testing.T) *harness {
	t.Helper()
	h := &harness{DB: testkit.Postgres(t, "basket", migrate), t: t, broker: natstest.New(t), work: func(erasure.Deletion) error { return nil }}
	log := testkit.Logger(t)
	b, err := bus.Connect(h.broker.URL, "basket", log)
	require.NoError(t, err)
	t.Cleanup(b.Close)
	h.out = outbox.New(h.Pool, b, "basket", log, time.Now)
	h.eraser, err = erasure.New(erasure.Config{
		Service: "basket", DB: h.Pool, Bus: b, Log: log, Meters: testkit.Telemetry(t).Metrics,
		Work:   func(_ context.Context, d erasure.Deletion) error { return h.work(d) },
		Finish: erasure.Tell(h.out, func(deletion string) proto.Message { return &eventsv1.BasketErased{DeletionId: deletion} }),
	})
	require.NoError(t, err)
	h.publish()
	conn, err := nats.Connect(h.broker.URL)
	require.NoError(t, err)
	t.Cleanup(conn.Close)
	js, err := jetstream.New(conn)
	require.NoError(t, err)
	require.Eventually(t, func() bool {
		h.stream, err = js.Stream(t.Context(), bus.StreamName("basket"))
		return err == nil
	}, patience, 10*time.Millisecond)
	return h
}

// publish runs the relay until h.relay is called.
func (h *harness) publish() {
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() { _ = h.out.Run(ctx) })
	h.relay = sync.OnceFunc(func() { cancel(); running.Wait() })
	h.t.Cleanup(h.relay)
}

// tells adds an event about a member, which may name another one.
func (h *harness) tells(uid, other string) {
	h.t.Helper()
	require.NoError(h.t, postgres.InTx(h.t.Context(), h.Pool, func(ctx context.Context, tx pgx.Tx) error {
		return h.out.Add(ctx, tx, outbox.Event{Aggregate: "a", UID: uid, Message: &eventsv1.BasketChanged{Uid: uid, BasketId: other}})
	}))
}

func (h *harness) published(n uint64) {
	h.t.Helper()
	require.Eventually(h.t, func() bool {
		info, err := h.stream.Info(h.t.Context())
		var waiting int
		werr := h.Pool.QueryRow(h.t.Context(), `SELECT count(*) FROM outbox WHERE published_at IS NULL`).Scan(&waiting)
		return err == nil && werr == nil && waiting == 0 && info.State.Msgs == n
	}, patience, 10*time.Millisecond)
}

func (h *harness) begins(d erasure.Deletion) {
	h.t.Helper()
	require.NoError(h.t, postgres.InTx(h.t.Context(), h.Pool, func(ctx context.Context, tx pgx.Tx) error { return erasure.Begin(ctx, tx, d) }))
}

// due makes all deletions due: their next try does not wait.
func (h *harness) due() {
	h.t.Helper()
	_, err := h.Pool.Exec(h.t.Context(), `UPDATE erasures SET next_try_at = now()`)
	require.NoError(h.t, err)
}

// finishes works until the deletions are done.
func (h *harness) finishes() {
	h.t.Helper()
	require.Eventually(h.t, func() bool {
		h.due()
		_, err := h.eraser.Round(h.t.Context())
		return (err == nil || errors.Is(err, erasure.ErrPending)) && h.left() == 0
	}, patience, 10*time.Millisecond)
}

func (h *harness) left() (n int) {
	h.t.Helper()
	require.NoError(h.t, h.Pool.QueryRow(h.t.Context(), `SELECT count(*) FROM erasures`).Scan(&n))
	return n
}

// inOutbox counts rows whose payload holds the text.
func (h *harness) inOutbox(text string) (n int) {
	h.t.Helper()
	require.NoError(h.t, h.Pool.QueryRow(h.t.Context(), `SELECT count(*) FROM outbox WHERE position($1::bytea IN payload) > 0`, []byte(text)).Scan(&n))
	return n
}

// inFiles says whether a file of the broker holds the text.
func (h *harness) inFiles(text string) (found bool) {
	h.t.Helper()
	require.NoError(h.t, filepath.WalkDir(h.broker.Dir(), func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		found = found || bytes.Contains(data, []byte(text))
		return err
	}))
	return found
}

func deletion() erasure.Deletion { return erasure.Deletion{ID: uuid.New(), UID: uuid.New()} }

func TestADeletedMembersEventsAreGoneFromOutboxStreamAndFiles(t *testing.T) {
	t.Parallel()
	h := setup(t)
	d, friend := deletion(), uuid.NewString()
	for range 3 {
		h.tells(d.UID.String(), "basket")
		h.tells(friend, "basket")
	}
	h.published(6)
	require.True(t, h.inFiles(d.UID.String()), "the search finds what is there")
	h.begins(d)
	h.finishes()
	require.Zero(t, h.inOutbox(d.UID.String()))
	require.Equal(t, 3, h.inOutbox(friend))
	h.published(4) // the friend's, and that it is done
	require.False(t, h.inFiles(d.UID.String()))
	require.True(t, h.inFiles(friend))
	last, err := h.stream.GetLastMsgForSubject(t.Context(), "serein.basket.member.erased.v1")
	require.NoError(t, err)
	envelope, told := new(eventsv1.Envelope), new(eventsv1.BasketErased)
	require.NoError(t, proto.Unmarshal(last.Data, envelope))
	require.NoError(t, envelope.GetPayload().UnmarshalTo(told))
	require.Equal(t, d.ID.String(), told.GetDeletionId())
	require.Empty(t, envelope.GetUid())
}

// A friend's confirmation names who invited them: it has to be heard.
func TestAnEventOfAnotherMemberThatNamesTheDeletedOneStays(t *testing.T) {
	t.Parallel()
	h := setup(t)
	d := deletion()
	h.tells(uuid.NewString(), d.UID.String())
	h.published(1)
	h.begins(d)
	h.finishes()
	require.Equal(t, 1, h.inOutbox(d.UID.String()))
	h.published(2)
}

func TestADeletionWaitsForEventsThatTheBrokerHasNotHeard(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.relay()
	d := deletion()
	h.tells(d.UID.String(), "basket")
	h.begins(d)
	_, err := h.eraser.Round(t.Context())
	require.ErrorIs(t, err, erasure.ErrPending)
	require.Equal(t, 1, h.left())
	h.publish()
	h.finishes()
	require.Zero(t, h.inOutbox(d.UID.String()))
}

// A process that dies at any step leaves the row, and the next attempt does every step again.
func TestADeletionIsTriedUntilItsServiceHasDoneIt(t *testing.T) {
	t.Parallel()
	h := setup(t)
	d, other := deletion(), deletion()
	h.begins(d)
	h.begins(other)
	h.work = func(of erasure.Deletion) error {
		if of == d {
			return errors.New("the disk is away")
		}
		return nil
	}
	_, err := h.eraser.Round(t.Context())
	require.NoError(t, err)
	require.Equal(t, 1, h.left(), "one that fails keeps no other from its turn")
	n, err := h.eraser.Round(t.Context())
	require.NoError(t, err)
	require.Zero(t, n, "it waits a little")
	h.work = func(erasure.Deletion) error { return nil }
	h.finishes()
	h.begins(d) // identity publishes the deletion again
	h.finishes()
	h.published(3)
}

func TestADoneJobThatNamesTheMemberGoes(t *testing.T) {
	t.Parallel()
	h := setup(t)
	d := deletion()
	for _, uid := range []string{d.UID.String(), uuid.NewString()} {
		_, err := h.Pool.Exec(t.Context(), `INSERT INTO river_job (args, kind, max_attempts, state, finalized_at)
			VALUES (jsonb_build_object('uid', $1::text), 'basket.test', 1, 'completed', now())`, uid)
		require.NoError(t, err)
	}
	_, err := h.Pool.Exec(t.Context(), `INSERT INTO river_job (args, kind, max_attempts, state) VALUES (jsonb_build_object('uid', $1::text), 'basket.test', 1, 'available')`, d.UID.String())
	require.NoError(t, err)
	h.begins(d)
	h.begins(deletion())
	_, err = h.eraser.Round(t.Context())
	require.ErrorIs(t, err, erasure.ErrPending, "one that is not done has to be first")
	require.Equal(t, 1, h.left(), "and nobody else waits for it")
	_, err = h.Pool.Exec(t.Context(), `UPDATE river_job SET state = 'completed', finalized_at = now() WHERE finalized_at IS NULL`)
	require.NoError(t, err)
	h.finishes()
	var left int
	require.NoError(t, h.Pool.QueryRow(t.Context(), `SELECT count(*) FROM river_job`).Scan(&left))
	require.Equal(t, 1, left)
}

func TestThatAMemberHasDepartedIsNotedOnceWithoutTheUID(t *testing.T) {
	t.Parallel()
	db := testkit.Postgres(t, "basket", migrate)
	gone, other, at := uuid.New(), uuid.New(), time.Now().UTC().Truncate(time.Microsecond)
	require.NoError(t, postgres.InTx(t.Context(), db.Pool, func(ctx context.Context, tx pgx.Tx) error {
		for i := range 2 {
			if err := erasure.Depart(ctx, tx, gone, at.Add(time.Duration(i)*time.Hour)); err != nil {
				return err
			}
		}
		for uid, want := range map[uuid.UUID]bool{gone: true, other: false} {
			departed, err := erasure.HasDeparted(ctx, tx, uid)
			if err != nil {
				return err
			}
			require.Equal(t, want, departed)
		}
		return nil
	}))
	var noted time.Time
	require.NoError(t, db.Pool.QueryRow(t.Context(), `SELECT departed_at FROM departed WHERE member = sha256(uuid_send($1))`, gone).Scan(&noted), "in SQL the fingerprint is the same")
	require.True(t, at.Equal(noted), "when it was noted first")
	require.Equal(t, 1, testkit.Retain(t, db.Pool, []retention.Policy{erasure.DepartedPolicy()}, at.Add(90*retention.Day)))
}
