package postgres

import (
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/services/testkit"
)

func TestAPipelineIsOneTransaction(t *testing.T) {
	t.Parallel()
	db := testkit.Postgres(t, "generation", Migrate)
	count := func() (n int) {
		require.NoError(t, db.Pool.QueryRow(t.Context(), `SELECT count(*) FROM inbox`).Scan(&n))
		return n
	}
	add := func(p *batchTx) {
		_, err := p.Exec(t.Context(), `INSERT INTO inbox (consumer, event_id) VALUES ('test', gen_random_uuid())`)
		require.NoError(t, err)
	}
	var answer int

	broken := &batchTx{db: db.Pool}
	add(broken)
	_, err := broken.Exec(t.Context(), `SELECT 1 / 0`)
	require.NoError(t, err, "it is only noted")
	require.ErrorContains(t, broken.QueryRow(t.Context(), `SELECT 1`).Scan(&answer), "division by zero")
	require.Zero(t, count(), "what came before it is undone")

	unanswered := &batchTx{db: db.Pool}
	add(unanswered)
	require.Error(t, unanswered.QueryRow(t.Context(), `SELECT 1 / 0`).Scan(&answer))
	require.Zero(t, count())

	whole := &batchTx{db: db.Pool}
	add(whole)
	require.NoError(t, whole.QueryRow(t.Context(), `SELECT count(*) FROM inbox`).Scan(&answer))
	require.Equal(t, 1, answer, "a statement sees what those before it did")
	require.Equal(t, 1, count())
}
