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

// Events come in any order: who has left before their confirmation is heard of again is not remembered.
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
		in(func(tx pgx.Tx) error { return mails.Remember(t.Context(), tx, uid, p) })
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

// Who was welcomed by the release before gets letters about what they buy from this one.
func TestMembersWhoWereWelcomedBeforeAreKnown(t *testing.T) {
	t.Parallel()
	db := testkit.Postgres(t, "mail", store.Migrate)
	owner, err := pgx.Connect(t.Context(), db.OwnerURL)
	require.NoError(t, err)
	t.Cleanup(func() { _ = owner.Close(context.Background()) })
	_, err = owner.Exec(t.Context(), `DROP TABLE members, departed; DELETE FROM service_migrations WHERE version_id >= 5`)
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
