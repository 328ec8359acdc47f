package postgres

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"serein.app/services/generation/internal/meditation"
)

// While the database was away no worker could be heard: right after its start their silence is no death.
func TestNobodyIsTakenForDeadBecauseTheDatabaseWasAway(t *testing.T) {
	t.Parallel()
	q := newQueue(t)
	q.fill(t, 1)
	worker := meditation.Worker{ID: uuid.New(), Recorders: 1, Lease: time.Minute}
	require.NoError(t, q.Beat(t.Context(), worker, true))
	m, ok := q.claim(t, meditation.Claim{Worker: worker.ID, Alone: true})
	require.True(t, ok)
	_, err := q.db.Pool.Exec(t.Context(), `UPDATE workers SET lease_until = now() - interval '1 second'`)
	require.NoError(t, err)

	const longerThanTheServerRuns = 10 * 365 * 24 * time.Hour
	taken, err := q.queries.TakeBack(t.Context(), q.Store.db, longerThanTheServerRuns)
	require.NoError(t, err)
	require.Empty(t, taken, "within the grace")
	require.NoError(t, q.Owned(t.Context(), m))
	taken, err = q.queries.TakeBack(t.Context(), q.Store.db, 0)
	require.NoError(t, err)
	require.Len(t, taken, 1, "and after it")
	require.EqualValues(t, 1, taken[0].Crashes)
}
