package outbox_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"

	eventsv1 "serein.app/proto/gen/serein/events/v1"
	"serein.app/services/platform/bus"
	"serein.app/services/platform/outbox"
	"serein.app/services/platform/postgres"
	"serein.app/services/platform/retention"
	"serein.app/services/testkit"
)

// offline is an outbox whose broker nobody serves.
func offline(t *testing.T) (*outbox.Outbox, testkit.DB) {
	t.Helper()
	db := testkit.Postgres(t, "identity", migrate)
	b, err := bus.Connect("nats://127.0.0.1:1", "identity", testkit.Logger(t))
	require.NoError(t, err)
	t.Cleanup(b.Close)
	return outbox.New(db.Pool, b, "identity", testkit.Logger(t), time.Now), db
}

func insert(t *testing.T, db testkit.DB, created, published string) {
	t.Helper()
	_, err := db.Pool.Exec(t.Context(), fmt.Sprintf(
		"INSERT INTO outbox (id, subject, payload, created_at, published_at) VALUES (gen_random_uuid(), '%s', '%s', %s, %s)",
		subject, created+" "+published, ago(created), ago(published)))
	require.NoError(t, err)
}

func ago(interval string) string {
	if interval == "" {
		return "NULL"
	}
	return "now() - interval '" + interval + "'"
}

func kept(t *testing.T, db testkit.DB) []string {
	t.Helper()
	rows, err := db.Pool.Query(t.Context(), "SELECT convert_from(payload, 'UTF8') FROM outbox ORDER BY seq")
	require.NoError(t, err)
	names, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(t, err)
	return names
}

func TestCleaningRemovesWhatWasPublishedLongAgoAndNothingElse(t *testing.T) {
	t.Parallel()
	_, db := offline(t)
	insert(t, db, "31 days", "31 days")
	insert(t, db, "40 days", "29 days") // it waited for its broker
	insert(t, db, "29 days", "29 days")
	insert(t, db, "90 days", "") // it still waits: nobody knows of it yet
	insert(t, db, "1 second", "")
	testkit.Retain(t, db.Pool, []retention.Policy{outbox.Policy()}, time.Now())
	require.Equal(t, []string{"40 days 29 days", "29 days 29 days", "90 days ", "1 second "}, kept(t, db))
	require.Zero(t, testkit.Retain(t, db.Pool, []retention.Policy{outbox.Policy()}, time.Now()), "again changes nothing")
}

// A month of events is millions: they are found by an index and marked in batches, also where one
// transaction published more than a batch at one moment.
func TestAReplayOfMoreEventsThanABatchMarksThemAll(t *testing.T) {
	t.Parallel()
	_, db := offline(t)
	for _, published := range []string{"2 hours", "10 minutes", "5 minutes"} {
		_, err := db.Pool.Exec(t.Context(), `INSERT INTO outbox (id, subject, payload, created_at, published_at)
			SELECT gen_random_uuid(), 's', '', now() - interval '3 hours', `+ago(published)+` FROM generate_series(1, 450)`)
		require.NoError(t, err)
	}
	n, err := outbox.Replay(t.Context(), db.Pool, time.Now().Add(-time.Hour))
	require.NoError(t, err)
	require.EqualValues(t, 900, n)
	var waiting int
	require.NoError(t, db.Pool.QueryRow(t.Context(), "SELECT count(*) FROM outbox WHERE published_at IS NULL").Scan(&waiting))
	require.Equal(t, 900, waiting)
}

// Going out again makes an event young for its removal, but not for an inbox: it forgets what it has handled.
func TestAnEventGoesOutAgainForAMonthAndNotForEver(t *testing.T) {
	t.Parallel()
	_, db := offline(t)
	insert(t, db, "29 days", "1 hour")
	insert(t, db, "31 days", "1 hour") // it has gone out again already
	n, err := outbox.Replay(t.Context(), db.Pool, time.Now().Add(-2*time.Hour))
	require.NoError(t, err)
	require.EqualValues(t, 1, n)
	var again string
	require.NoError(t, db.Pool.QueryRow(t.Context(), "SELECT convert_from(payload, 'UTF8') FROM outbox WHERE published_at IS NULL").Scan(&again))
	require.Equal(t, "29 days 1 hour", again)
}

// The wake-up comes before the commit, and a commit can take its time.
func TestAnEventWhoseTransactionTakesLongLeavesSoonAfterItsCommit(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.register("warm")
	b.eventually("warm")
	tx, err := b.from.Pool.Begin(t.Context())
	require.NoError(t, err)
	require.NoError(t, b.out.Add(t.Context(), tx, outbox.Event{Aggregate: "late", UID: "late", Message: &eventsv1.UserRegistered{Uid: "late"}}))
	b.register("early")
	b.eventually("warm", "early")
	require.NoError(t, tx.Commit(t.Context()))
	b.eventually("warm", "early", "late")
}

func TestMoreEventsThanABatchLeaveInTheirOrder(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.halt()
	var want []string
	require.NoError(t, postgres.InTx(t.Context(), b.from.Pool, func(ctx context.Context, tx pgx.Tx) error {
		for n := range 1100 {
			uid := fmt.Sprint(n)
			want = append(want, uid)
			if err := b.out.Add(ctx, tx, outbox.Event{Aggregate: "a", UID: uid, Message: &eventsv1.UserRegistered{Uid: uid}}); err != nil {
				return err
			}
		}
		return nil
	}))
	b.work()
	b.eventually(want...)
	var waiting int
	require.NoError(t, b.from.Pool.QueryRow(t.Context(), "SELECT count(*) FROM outbox WHERE published_at IS NULL").Scan(&waiting))
	require.Zero(t, waiting)
}

func TestAMessageThatIsNoEventIsRefusedBeforeItIsWritten(t *testing.T) {
	t.Parallel()
	out, db := offline(t)
	err := postgres.InTx(t.Context(), db.Pool, func(ctx context.Context, tx pgx.Tx) error {
		return out.Add(ctx, tx, outbox.Event{Aggregate: "a", Message: &eventsv1.Envelope{}})
	})
	require.ErrorContains(t, err, "names no subject")
	require.Empty(t, kept(t, db))
}

// The broker would refuse it for ever, and all behind it would wait.
func TestAnEventThatTheBrokerWouldRefuseIsRefusedWhereItIsWritten(t *testing.T) {
	t.Parallel()
	out := outbox.New(nil, nil, "identity", testkit.Logger(t), time.Now)
	size := outbox.MaxBytes - 200
	row, err := out.Row(t.Context(), outbox.Event{Aggregate: "a", Message: &eventsv1.UserRegistered{Username: strings.Repeat("a", size)}})
	require.NoError(t, err)
	require.LessOrEqual(t, len(row.Payload), outbox.MaxBytes)
	_, err = out.Row(t.Context(), outbox.Event{Aggregate: "a", Message: &eventsv1.UserRegistered{Username: strings.Repeat("a", size+200)}})
	require.ErrorContains(t, err, "too large")
}

func TestARowSaysWhatHappenedToWhomAndWhen(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 11, 21, 17, 0, 0, 0, time.UTC)
	out := outbox.New(nil, nil, "identity", testkit.Logger(t), func() time.Time { return at })
	row, err := out.Row(t.Context(), outbox.Event{Aggregate: "a", UID: "u", Message: &eventsv1.UserRegistered{Uid: "u"}})
	require.NoError(t, err)
	require.Equal(t, subject, row.Subject)
	envelope := new(eventsv1.Envelope)
	require.NoError(t, proto.Unmarshal(row.Payload, envelope))
	require.Equal(t, row.ID.String(), envelope.GetId())
	require.Equal(t, at, envelope.GetTime().AsTime())
	require.Equal(t, "u", envelope.GetUid())
	require.Equal(t, "a", envelope.GetAggregateId())
	require.Empty(t, envelope.GetTraceparent(), "there was no call")
}
