package inbox_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/anypb"
	"google.golang.org/protobuf/types/known/timestamppb"

	eventsv1 "serein.app/proto/gen/serein/events/v1"
	"serein.app/services/platform/bus"
	"serein.app/services/platform/errs"
	"serein.app/services/platform/inbox"
	"serein.app/services/platform/postgres"
	"serein.app/services/testkit"
)

type registered = inbox.Event[*eventsv1.UserRegistered]

func migrate(ctx context.Context, url string) error {
	return postgres.Migrate(ctx, url, fstest.MapFS{"migrations/001_effects.sql": {Data: []byte("-- +goose Up\nCREATE TABLE effects (n serial PRIMARY KEY, uid uuid NOT NULL);\n")}})
}

// effects counts the rows of all applied events.
func effects(t *testing.T, db testkit.DB) (n int) {
	t.Helper()
	require.NoError(t, db.Pool.QueryRow(t.Context(), "SELECT count(*) FROM effects").Scan(&n))
	return n
}

func apply(ctx context.Context, tx pgx.Tx, event registered) error {
	_, err := tx.Exec(ctx, "INSERT INTO effects (uid) VALUES ($1)", event.UID)
	return err
}

// consumer is one whose service is mail.
func consumer(t *testing.T, db testkit.DB, apply func(context.Context, pgx.Tx, registered) error) bus.Consumer {
	t.Helper()
	c, err := inbox.Consumer(db.Pool, "mail", apply)
	require.NoError(t, err)
	return c
}

func envelope(t *testing.T, id, uid string, payload proto.Message) *eventsv1.Envelope {
	t.Helper()
	packed, err := anypb.New(payload)
	require.NoError(t, err)
	return &eventsv1.Envelope{Id: id, Uid: uid, Time: timestamppb.New(time.Unix(1_000_000, 0)), Payload: packed}
}

func TestAnEventIsAppliedWhateverTheSpellingOfItsID(t *testing.T) {
	t.Parallel()
	db := testkit.Postgres(t, "mail", migrate)
	c := consumer(t, db, apply)
	id := uuid.New()
	for _, spelled := range []string{strings.ToUpper(id.String()), id.String(), "{" + id.String() + "}", id.URN()} {
		require.NoError(t, c.Handle(t.Context(), envelope(t, spelled, uuid.NewString(), &eventsv1.UserRegistered{})), spelled)
		require.Equal(t, 1, effects(t, db), spelled)
	}
	require.Error(t, c.Handle(t.Context(), envelope(t, "x", uuid.NewString(), &eventsv1.UserRegistered{})))
}

func TestAnEventThatComesTwiceIsAppliedOnceAlsoAtTheSameMoment(t *testing.T) {
	t.Parallel()
	db := testkit.Postgres(t, "mail", migrate)
	c := consumer(t, db, apply)
	event := envelope(t, uuid.NewString(), uuid.NewString(), &eventsv1.UserRegistered{})
	var all sync.WaitGroup
	for range 10 {
		all.Go(func() { require.NoError(t, c.Handle(t.Context(), event)) })
	}
	all.Wait()
	require.Equal(t, 1, effects(t, db))
	require.NoError(t, c.Handle(t.Context(), envelope(t, uuid.NewString(), uuid.NewString(), &eventsv1.UserRegistered{})))
	require.Equal(t, 2, effects(t, db), "another event is another effect")
}

// The id is recorded with the effect or not at all: an event whose effect failed comes again.
func TestAnEventThatFailedIsNotTakenForApplied(t *testing.T) {
	t.Parallel()
	db := testkit.Postgres(t, "mail", migrate)
	errFull := errors.New("full")
	fail := true
	c := consumer(t, db, func(ctx context.Context, tx pgx.Tx, event registered) error {
		if err := apply(ctx, tx, event); err != nil {
			return err
		}
		if fail {
			return errFull
		}
		return nil
	})
	event := envelope(t, uuid.NewString(), uuid.NewString(), &eventsv1.UserRegistered{})
	require.ErrorIs(t, c.Handle(t.Context(), event), errFull)
	require.Zero(t, effects(t, db), "nothing of it stands")
	fail = false
	require.NoError(t, c.Handle(t.Context(), event))
	require.Equal(t, 1, effects(t, db))
}

func TestConsumersOfOneServiceDoNotHideEventsFromEachOther(t *testing.T) {
	t.Parallel()
	db := testkit.Postgres(t, "mail", migrate)
	id := uuid.NewString()
	require.NoError(t, postgres.InTx(t.Context(), db.Pool, func(ctx context.Context, tx pgx.Tx) error {
		for _, c := range []struct {
			consumer, id string
			first        bool
		}{{"mail-one", id, true}, {"mail-two", id, true}, {"mail-one", id, false}, {"mail-one", uuid.NewString(), true}} {
			first, err := inbox.Once(ctx, tx, c.consumer, c.id)
			if err != nil {
				return err
			}
			require.Equal(t, c.first, first, c)
		}
		return nil
	}))
}

func TestAConsumerIsNamedAfterItsServiceAndTheEvent(t *testing.T) {
	t.Parallel()
	c := consumer(t, testkit.DB{}, apply)
	require.Equal(t, "mail-user-registered", c.Name)
	require.Equal(t, "serein.identity.user.registered.v1", c.Subject)
	_, err := inbox.Consumer(nil, "mail", func(context.Context, pgx.Tx, inbox.Event[*eventsv1.Envelope]) error { return nil })
	require.ErrorContains(t, err, "Envelope", "not every message is an event")
}

func TestAHandlerGetsTheEventOpened(t *testing.T) {
	t.Parallel()
	db := testkit.Postgres(t, "mail", migrate)
	id, uid := uuid.NewString(), uuid.New()
	var got registered
	c := consumer(t, db, func(_ context.Context, _ pgx.Tx, event registered) error { got = event; return nil })
	require.NoError(t, c.Handle(t.Context(), envelope(t, id, uid.String(), &eventsv1.UserRegistered{Username: "ada"})))
	require.Equal(t, id, got.ID)
	require.Equal(t, uid, got.UID)
	require.Equal(t, "ada", got.Payload.GetUsername())
	require.Equal(t, time.Unix(1_000_000, 0).UTC(), got.Time)
}

// An event about published content concerns no member, and its message has no uid.
func TestAnEventAboutNobodyIsAppliedOnce(t *testing.T) {
	t.Parallel()
	db := testkit.Postgres(t, "mail", migrate)
	var got []inbox.Event[*eventsv1.ItemNarrated]
	c, err := inbox.Consumer(db.Pool, "mail", func(_ context.Context, _ pgx.Tx, e inbox.Event[*eventsv1.ItemNarrated]) error {
		got = append(got, e)
		return nil
	})
	require.NoError(t, err)
	event := envelope(t, uuid.NewString(), "", &eventsv1.ItemNarrated{ItemId: "a-bench"})
	require.NoError(t, c.Handle(t.Context(), event))
	require.NoError(t, c.Handle(t.Context(), event))
	require.Len(t, got, 1)
	require.Equal(t, uuid.Nil, got[0].UID)
	require.Equal(t, "a-bench", got[0].Payload.GetItemId())
}

func TestWhatIsNotTheEventIsAFailureAndChangesNothing(t *testing.T) {
	t.Parallel()
	db := testkit.Postgres(t, "mail", migrate)
	c := consumer(t, db, apply)
	uid := uuid.NewString()
	for name, event := range map[string]*eventsv1.Envelope{
		"another event":  envelope(t, uuid.NewString(), uid, &eventsv1.UserConfirmed{}),
		"no payload":     {Id: uuid.NewString(), Uid: uid},
		"unknown type":   {Id: uuid.NewString(), Uid: uid, Payload: &anypb.Any{TypeUrl: "type.googleapis.com/serein.events.v1.Tomorrow"}},
		"broken payload": {Id: uuid.NewString(), Uid: uid, Payload: &anypb.Any{TypeUrl: "type.googleapis.com/serein.events.v1.UserRegistered", Value: []byte("\xff")}},
		"nobody":         envelope(t, uuid.NewString(), "", &eventsv1.UserRegistered{}),
		"no uuid":        envelope(t, uuid.NewString(), "ada", &eventsv1.UserRegistered{}),
		"no id":          envelope(t, "", uid, &eventsv1.UserRegistered{}),
	} {
		require.Error(t, c.Handle(t.Context(), event), name)
	}
	require.Zero(t, effects(t, db))
}

func TestADatabaseThatIsAwayIsNotTheEventsFault(t *testing.T) {
	t.Parallel()
	away, err := postgres.Open(t.Context(), postgres.Config{URL: "postgres://mail:x@127.0.0.1:1/mail", MaxConns: 1}, nil)
	require.NoError(t, err)
	t.Cleanup(away.Close)
	c, err := inbox.Consumer(away, "mail", apply)
	require.NoError(t, err)
	err = c.Handle(t.Context(), envelope(t, uuid.NewString(), uuid.NewString(), &eventsv1.UserRegistered{}))
	require.Equal(t, errs.Unavailable, errs.KindOf(err))
}
