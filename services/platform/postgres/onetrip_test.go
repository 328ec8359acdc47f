package postgres_test

import (
	"context"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"serein.app/services/platform/postgres"
	"serein.app/services/testkit"
)

// statements run as one transaction in one round trip: add is noted, and the last one sends all. The two ends are those that sqlc generates.
func inOneTrip(t *testing.T, db testkit.DB, add, last string) map[string]func() (int, error) {
	t.Helper()
	run := func(end func(context.Context, postgres.Queryer) (int, error)) (n int, err error) {
		err = postgres.InOneTrip(t.Context(), db.Pool, func(ctx context.Context, tx postgres.Queryer) error {
			if _, err := tx.Exec(ctx, add); err != nil {
				return err
			}
			n, err = end(ctx, tx)
			return err
		})
		return n, err
	}
	return map[string]func() (int, error){
		"QueryRow": func() (int, error) {
			return run(func(ctx context.Context, tx postgres.Queryer) (n int, err error) {
				return n, tx.QueryRow(ctx, last).Scan(&n)
			})
		},
		"Query": func() (int, error) {
			return run(func(ctx context.Context, tx postgres.Queryer) (int, error) {
				rows, err := tx.Query(ctx, last)
				if err != nil {
					return 0, err
				}
				return pgx.CollectOneRow(rows, pgx.RowTo[int])
			})
		},
	}
}

func TestStatementsOfOneTripAreOneTransaction(t *testing.T) {
	t.Parallel()
	db := testkit.Postgres(t, "mail", migrate)
	const add, count, broken = `INSERT INTO inbox (consumer, event_id) VALUES ('test', gen_random_uuid())`, `SELECT count(*)::int FROM inbox`, `SELECT 1 / 0`
	rows := func() (n int) {
		require.NoError(t, db.Pool.QueryRow(t.Context(), count).Scan(&n))
		return n
	}
	for end, run := range inOneTrip(t, db, add, broken) {
		_, err := run()
		require.ErrorContains(t, err, "division by zero", end)
		require.Zero(t, rows(), "%s: what came before it is undone", end)
	}
	for end, run := range inOneTrip(t, db, broken, add+` RETURNING 1`) {
		_, err := run()
		require.ErrorContains(t, err, "division by zero", "%s: the noted statement's error", end)
		require.Zero(t, rows(), end)
	}
	for end, run := range inOneTrip(t, db, add, count) {
		before := rows()
		n, err := run()
		require.NoError(t, err, end)
		require.Equal(t, before+1, n, "%s: a statement sees what those before it did", end)
		require.Equal(t, before+1, rows(), end)
	}
	pool, trips := db.CountRoundTrips(t)
	require.Equal(t, int64(1), trips.Least(func() {
		require.NoError(t, postgres.InOneTrip(t.Context(), pool, func(ctx context.Context, tx postgres.Queryer) error {
			if _, err := tx.Exec(ctx, add); err != nil {
				return err
			}
			var n int
			return tx.QueryRow(ctx, count).Scan(&n)
		}))
	}))
}
