package billing

import (
	"context"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"

	billingv1 "serein.app/proto/gen/serein/billing/v1"
	eventsv1 "serein.app/proto/gen/serein/events/v1"
	"serein.app/services/platform/auth"
	"serein.app/services/platform/bus"
	"serein.app/services/platform/outbox"
	"serein.app/services/platform/postgres"
	"serein.app/services/testkit"
)

// identity is the part of that service that matters here: its outbox, over a stream of some 20 kB.
type identity struct {
	db  testkit.DB
	out *outbox.Outbox
	js  jetstream.JetStream
}

func (r *harness) identity(t *testing.T) *identity {
	t.Helper()
	i := &identity{db: testkit.Postgres(t, "identity", func(ctx context.Context, url string) error {
		return postgres.Migrate(ctx, url, fstest.MapFS{"migrations/001_none.sql": {Data: []byte("-- +goose Up\nSELECT 1;\n")}})
	})}
	b, err := bus.Connect(r.broker.URL, "identity", testkit.Logger(t), bus.With(bus.Config{StreamBytes: 20_000}))
	require.NoError(t, err)
	t.Cleanup(b.Close)
	i.out = outbox.New(i.db.Pool, b, "identity", testkit.Logger(t), time.Now)
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = i.out.Run(ctx)
	}()
	t.Cleanup(func() { cancel(); <-ended })
	conn, err := nats.Connect(r.broker.URL)
	require.NoError(t, err)
	t.Cleanup(conn.Close)
	i.js, err = jetstream.New(conn)
	require.NoError(t, err)
	return i
}

// tells commits the events, of that member each, and waits until all are published.
func (i *identity) tells(t *testing.T, events map[string]proto.Message) {
	t.Helper()
	require.NoError(t, postgres.InTx(t.Context(), i.db.Pool, func(ctx context.Context, tx pgx.Tx) error {
		for uid, event := range events {
			if err := i.out.Add(ctx, tx, outbox.Event{Aggregate: uid, UID: uid, Message: event}); err != nil {
				return err
			}
		}
		return nil
	}))
	require.Eventually(t, func() bool {
		return count(t, i.db.Pool, "SELECT count(*)::int FROM outbox WHERE published_at IS NULL") == 0
	}, testkit.Patience, 20*time.Millisecond)
}

func (i *identity) confirms(t *testing.T, members ...string) {
	t.Helper()
	events := map[string]proto.Message{}
	for _, uid := range members {
		events[uid] = &eventsv1.UserConfirmed{Uid: uid, Username: "ada", Email: "ada@example.com", GivenName: "Ada"}
	}
	i.tells(t, events)
}

// left is how many of identity's events on that subject its stream still holds.
func (i *identity) left(t *testing.T, subject string) int {
	t.Helper()
	stream, err := i.js.Stream(t.Context(), bus.StreamName("identity"))
	require.NoError(t, err)
	info, err := stream.Info(t.Context(), jetstream.WithSubjectFilter(subject))
	require.NoError(t, err)
	return int(info.State.Subjects[subject])
}

// Billing is down while members confirm, and other events fill the stream, which drops the confirmations.
// Without manual repair every member gets their trial and its credits, once.
func TestAFullStreamStopsNobodysTrialCredits(t *testing.T) {
	t.Parallel()
	r := start(t)
	i := r.identity(t)
	first := newMember()
	i.confirms(t, first)
	subscribed := func() int { return count(t, r.Pool, `SELECT count(*)::int FROM subscriptions`) }
	require.Eventually(t, func() bool { return subscribed() == 1 }, testkit.Patience, 20*time.Millisecond)
	r.stop()

	members := make([]string, 20)
	for n := range members {
		members[n] = newMember()
	}
	i.confirms(t, members...)
	fill := map[string]proto.Message{}
	for range 100 {
		fill[newMember()] = &eventsv1.UserRegistered{Username: strings.Repeat("x", 500)}
	}
	i.tells(t, fill)
	require.Zero(t, i.left(t, "serein.identity.user.confirmed.v1"), "the stream has dropped all confirmations")

	r.run(t)
	require.Eventually(t, func() bool { return subscribed() == 1+len(members) }, testkit.Patience, 20*time.Millisecond)
	trial := r.trial(t)
	for _, uid := range append(members, first) {
		account, err := r.accounts(t, "gateway").GetAccount(auth.WithMember(t.Context(), uid), &billingv1.GetAccountRequest{})
		require.NoError(t, err)
		require.Equal(t, trial.GetTrialCredits(), account.GetBalance().GetPlanAvailable())
		require.Equal(t, 1, count(t, r.Pool, `SELECT count(*)::int FROM entries WHERE uid = $1`, uid), "one grant")
	}
}
