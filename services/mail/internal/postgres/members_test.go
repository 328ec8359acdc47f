package postgres_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"serein.app/services/mail/internal/letters"
	store "serein.app/services/mail/internal/postgres"
	"serein.app/services/testkit"
)

// Events come in any order: if a member has left and then their confirmation comes again, mail does not remember them.
func TestAMemberIsRememberedUntilTheyLeaveAndNotAgain(t *testing.T) {
	t.Parallel()
	db := testkit.Postgres(t, "mail", store.Migrate)
	mails := store.New(db.Pool, nil, time.Now, uuid.NewV7)
	uid := uuid.New()
	in := func(do func(tx pgx.Tx) error) {
		t.Helper()
		require.NoError(t, pgx.BeginFunc(t.Context(), db.Pool, do))
	}
	who := func() (p letters.Person, err error) {
		in(func(tx pgx.Tx) error {
			p, err = mails.Member(t.Context(), tx, uid)
			return nil
		})
		return p, err
	}
	remember := func(p letters.Person) {
		in(func(tx pgx.Tx) error { return mails.Remember(t.Context(), tx, uid, p, time.Now()) })
	}
	_, err := who()
	require.ErrorIs(t, err, letters.ErrUnknown)
	for _, p := range []letters.Person{{Email: "ada@example.com", GivenName: "Ada"}, {Email: "ada@example.org", GivenName: "Ada L."}} {
		remember(p)
		known, err := who()
		require.NoError(t, err)
		require.Equal(t, p, known)
	}
	for range 2 { // told twice
		in(func(tx pgx.Tx) error { return mails.Forget(t.Context(), tx, uid) })
		remember(letters.Person{Email: "ada@example.com", GivenName: "Ada"})
		_, err = who()
		require.ErrorIs(t, err, letters.ErrDeparted)
	}
	var left int
	require.NoError(t, db.Pool.QueryRow(t.Context(), `SELECT (SELECT count(*) FROM members) + (SELECT count(*) FROM departed WHERE member = $1)`, uid[:]).Scan(&left))
	require.Zero(t, left, "neither address nor uid")
}

// What an older event tells is not kept over what a newer one told.
func TestANewAddressOrNameIsKeptAndAnOlderOneIsNot(t *testing.T) {
	t.Parallel()
	db := testkit.Postgres(t, "mail", store.Migrate)
	mails, uid, now := store.New(db.Pool, nil, time.Now, uuid.NewV7), uuid.New(), time.Now()
	in := func(do func(tx pgx.Tx) error) error { return pgx.BeginFunc(t.Context(), db.Pool, do) }
	change := func(to letters.Person, at time.Time) error {
		return in(func(tx pgx.Tx) error { return mails.Change(t.Context(), tx, uid, to, at) })
	}
	remember := func(p letters.Person, at time.Time) {
		require.NoError(t, in(func(tx pgx.Tx) error { return mails.Remember(t.Context(), tx, uid, p, at) }))
	}
	is := func(want letters.Person) {
		t.Helper()
		require.NoError(t, in(func(tx pgx.Tx) error {
			p, err := mails.Member(t.Context(), tx, uid)
			require.Equal(t, want, p)
			return err
		}))
	}
	require.ErrorIs(t, change(letters.Person{Email: "ada@new.example"}, now), letters.ErrUnknown)
	remember(letters.Person{Email: "ada@example.com", GivenName: "Ada"}, now)
	require.NoError(t, change(letters.Person{Email: "ada@new.example"}, now.Add(time.Minute)))
	is(letters.Person{Email: "ada@new.example", GivenName: "Ada"})
	require.NoError(t, change(letters.Person{GivenName: "Augusta"}, now.Add(2*time.Minute)))
	is(letters.Person{Email: "ada@new.example", GivenName: "Augusta"})
	remember(letters.Person{Email: "ada@example.com", GivenName: "Ada"}, now)
	require.NoError(t, change(letters.Person{Email: "late@example.com"}, now))
	is(letters.Person{Email: "ada@new.example", GivenName: "Augusta"})
	require.NoError(t, in(func(tx pgx.Tx) error { return mails.Forget(t.Context(), tx, uid) }))
	require.NoError(t, change(letters.Person{Email: "ada@new.example"}, now.Add(time.Hour)), "who has left is not followed")
}

// Who was welcomed by the release before gets letters about what they buy from this one.
func TestMembersWhoWereWelcomedBeforeAreKnown(t *testing.T) {
	t.Parallel()
	db := testkit.Postgres(t, "mail", store.Migrate)
	owner, err := pgx.Connect(t.Context(), db.OwnerURL)
	require.NoError(t, err)
	t.Cleanup(func() { _ = owner.Close(context.Background()) })
	_, err = owner.Exec(t.Context(), `DROP TABLE members, departed, free_letters, invitations, invited, uninvited, suppressed, declined, topics, leaving, marketing;
		DROP INDEX mails_uid;
		ALTER TABLE mails DROP COLUMN topic, DROP COLUMN told_at, DROP COLUMN held_until; DELETE FROM service_migrations WHERE version_id >= 5`)
	require.NoError(t, err, "the release before")
	sent, waits := uuid.New(), uuid.New()
	_, err = db.Pool.Exec(t.Context(), `INSERT INTO mails (id, idempotency_key, uid, recipient, template, data, state, created_at, expires_at, ended_at) VALUES
		(gen_random_uuid(), '1', $1, 'sent@example.org', 'welcome', NULL, 'sent', now(), now(), now()),
		(gen_random_uuid(), '2', $2, 'waits@example.org', 'welcome', '{"given_name": "Grace"}', 'queued', now(), now(), NULL),
		(gen_random_uuid(), '3', $3, 'code@example.org', 'confirmation_code', NULL, 'sent', now(), now(), now()),
		(gen_random_uuid(), '4', '', 'us@example.org', 'contact', NULL, 'sent', now(), now(), now())`, sent.String(), waits.String(), uuid.NewString())
	require.NoError(t, err)
	require.NoError(t, store.Migrate(t.Context(), db.OwnerURL))
	rows, err := db.Pool.Query(t.Context(), `SELECT uid, email, given_name FROM members`)
	require.NoError(t, err)
	known, err := pgx.CollectRows(rows, pgx.RowToStructByPos[struct {
		UID              uuid.UUID
		Email, GivenName string
	}])
	require.NoError(t, err)
	found := map[uuid.UUID]letters.Person{}
	for _, m := range known {
		found[m.UID] = letters.Person{Email: m.Email, GivenName: m.GivenName}
	}
	require.Equal(t, map[uuid.UUID]letters.Person{sent: {Email: "sent@example.org"}, waits: {Email: "waits@example.org", GivenName: "Grace"}}, found)
}
