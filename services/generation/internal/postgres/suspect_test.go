package postgres

import (
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"serein.app/services/generation/internal/meditation"
)

// Beside other work nobody could tell which of them killed the process. While something is suspect a busy worker takes
// nothing new either, so that it is free for it soon.
func TestWhatIsSuspectIsClaimedByAWorkerThatHasNothingElse(t *testing.T) {
	t.Parallel()
	q := newQueue(t)
	q.fill(t, 2)
	suspect, ok := q.claim(t, meditation.Claim{Worker: uuid.New(), Alone: true})
	require.True(t, ok)
	_, err := q.db.Pool.Exec(t.Context(), `UPDATE meditations SET worker_id = NULL, lease_until = NULL, next_try_at = now(), crashes = $2 WHERE id = $1`,
		suspect.ID, meditation.SuspectAfter)
	require.NoError(t, err)

	worker := uuid.New()
	_, ok = q.claim(t, meditation.Claim{Worker: worker, Alone: false})
	require.False(t, ok)
	m, ok := q.claim(t, meditation.Claim{Worker: worker, Alone: true})
	require.True(t, ok)
	require.Equal(t, suspect.ID, m.ID)
	other, ok := q.claim(t, meditation.Claim{Worker: uuid.New(), Alone: false})
	require.True(t, ok, "now it is in a worker's hands")
	require.NotEqual(t, suspect.ID, other.ID)
}
