package postgres_test

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	store "serein.app/services/generation/internal/postgres"
	"serein.app/services/platform/retention"
	"serein.app/services/testkit"
)

// What was given up goes a month later; what billing or the blobs have not let go of stays, and so does what a member has.
func TestWorkThatWasGivenUpGoesAMonthLaterAndFinishedWorkStays(t *testing.T) {
	t.Parallel()
	db := testkit.Postgres(t, "generation", store.Migrate)
	ended := time.Date(2027, 3, 1, 9, 0, 0, 0, time.UTC)
	insert := func(state string, settled, tidied bool) uuid.UUID {
		id := uuid.Must(uuid.NewV7())
		_, err := db.Pool.Exec(t.Context(), `INSERT INTO meditations (id, uid, title, type_id, practice_id, size_id, immersive, track_id, day,
				brief, narrator_id, narrator_name, cost, hold_id, state, settled, tidied, passages_total, passages_done, audio_bytes, created_at, deadline, ended_at)
			VALUES ($1, $1, 'Rest', 't', 'p', 's', false, '', '2027-03-01', '{}', 'n', 'N', 1, $1, $2, $3, $4, 1, 1, 1,
				$5::timestamptz - interval '1 hour', $5, $5)`, id, state, settled, tidied, ended)
		require.NoError(t, err)
		_, err = db.Pool.Exec(t.Context(), "INSERT INTO scripts VALUES ($1, '[]')", id)
		require.NoError(t, err)
		return id
	}
	for _, state := range []string{"failed", "cancelled", "refunded", "abandoned"} {
		insert(state, true, true)
	}
	stay := []uuid.UUID{insert("ready", true, true), insert("failed", false, false), insert("cancelled", true, false)}
	require.Zero(t, testkit.Retain(t, db.Pool, store.Retention(), ended.Add(30*retention.Day-time.Microsecond)))
	require.Equal(t, 4, testkit.Retain(t, db.Pool, store.Retention(), ended.Add(30*retention.Day)))
	var kept, scripts int
	require.NoError(t, db.Pool.QueryRow(t.Context(), "SELECT count(*) FROM meditations WHERE id = ANY ($1)", stay).Scan(&kept))
	require.NoError(t, db.Pool.QueryRow(t.Context(), "SELECT count(*) FROM scripts").Scan(&scripts))
	require.Equal(t, []int{3, 3}, []int{kept, scripts})
}
