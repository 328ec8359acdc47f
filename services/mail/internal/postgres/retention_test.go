package postgres_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	store "serein.app/services/mail/internal/postgres"
	"serein.app/services/platform/retention"
	"serein.app/services/testkit"
)

// B7: whom a letter went to is forgotten a month after it went. What waits is not touched.
func TestAMailGoesWithItsRecipientAMonthAfterItEnded(t *testing.T) {
	t.Parallel()
	db := testkit.Postgres(t, "mail", store.Migrate)
	ended := time.Date(2027, 3, 1, 9, 0, 0, 0, time.UTC)
	_, err := db.Pool.Exec(t.Context(), `INSERT INTO mails (id, idempotency_key, uid, recipient, template, data, state, created_at, expires_at, ended_at)
		VALUES (gen_random_uuid(), 'sent', 'u', 'amara@example.org', 'welcome', NULL, 'sent', $1, $1, $1),
			(gen_random_uuid(), 'failed', 'u', 'amara@example.org', 'welcome', NULL, 'failed', $1, $1, $1),
			(gen_random_uuid(), 'queued', 'u', 'amara@example.org', 'welcome', '{}', 'queued', $1, $1, NULL)`, ended)
	require.NoError(t, err)
	require.Zero(t, testkit.Retain(t, db.Pool, store.Retention(), ended.Add(30*retention.Day-time.Microsecond)))
	require.Equal(t, 2, testkit.Retain(t, db.Pool, store.Retention(), ended.Add(30*retention.Day)))
	var left string
	require.NoError(t, db.Pool.QueryRow(t.Context(), "SELECT idempotency_key FROM mails").Scan(&left))
	require.Equal(t, "queued", left)
}

// Deleted accounts are known for as long as an event of before may come, by a fingerprint alone.
func TestThatAnAccountHasGoneIsForgottenWhenNoEventOfBeforeCanCome(t *testing.T) {
	t.Parallel()
	db := testkit.Postgres(t, "mail", store.Migrate)
	left := time.Date(2027, 3, 1, 9, 0, 0, 0, time.UTC)
	_, err := db.Pool.Exec(t.Context(), `INSERT INTO departed (member, departed_at) VALUES ('a', $1)`, left)
	require.NoError(t, err)
	require.Zero(t, testkit.Retain(t, db.Pool, store.Retention(), left.Add(90*retention.Day-time.Microsecond)))
	require.Equal(t, 1, testkit.Retain(t, db.Pool, store.Retention(), left.Add(90*retention.Day)))
}
