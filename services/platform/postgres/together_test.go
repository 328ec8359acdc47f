package postgres_test

import (
	"context"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"serein.app/services/platform/postgres"
	"serein.app/services/testkit"
)

// number reads one number into to, as the methods that sqlc generates do.
func number(ctx context.Context, to *int, sql string, args ...any) postgres.Read {
	return func(db postgres.Queryer) error { return db.QueryRow(ctx, sql, args...).Scan(to) }
}

func TestReadsAreAskedTogetherInOneRoundTrip(t *testing.T) {
	t.Parallel()
	pool, trips := testkit.Postgres(t, "mail", migrate).CountRoundTrips(t)
	var one, two int
	var many []int
	require.Equal(t, int64(1), trips.Least(func() {
		one, two, many = 0, 0, nil
		require.NoError(t, postgres.Together(t.Context(), pool,
			number(t.Context(), &one, "SELECT $1::int", 1),
			func(db postgres.Queryer) error {
				rows, err := db.Query(t.Context(), "SELECT n FROM generate_series(1, 3) AS n")
				if err != nil {
					return err
				}
				many, err = pgx.CollectRows(rows, pgx.RowTo[int])
				return err
			},
			func(postgres.Queryer) error { return nil }, // asks nothing
			number(t.Context(), &two, "SELECT $1::int", 2),
		))
	}))
	require.Equal(t, 1, one)
	require.Equal(t, []int{1, 2, 3}, many)
	require.Equal(t, 2, two)
	require.Zero(t, trips.Least(func() { require.NoError(t, postgres.Together(t.Context(), pool)) }))
}

func TestTheFirstReadThatFailsIsTheErrorOfReadsAskedTogether(t *testing.T) {
	t.Parallel()
	db := testkit.Postgres(t, "mail", migrate).Pool
	ctx := t.Context()
	var one, two int
	err := postgres.Together(ctx, db, number(ctx, &one, "SELECT 1"), number(ctx, &two, "SELECT id FROM things"), number(ctx, &two, "SELECT 2"))
	require.ErrorIs(t, err, pgx.ErrNoRows)
	require.Equal(t, 1, one)
	require.Zero(t, two)
	err = postgres.Together(ctx, db, number(ctx, &one, "SELECT 1 / $1::int", 0), number(ctx, &two, "SELECT 2"))
	require.ErrorContains(t, err, "division by zero")
	require.NoError(t, db.Ping(ctx), "the connection is whole")
}

func TestAReadThatWritesOrAsksTwiceIsRefused(t *testing.T) {
	t.Parallel()
	db := testkit.Postgres(t, "mail", migrate).Pool
	ctx := t.Context()
	var n int
	err := postgres.Together(ctx, db, number(ctx, &n, "SELECT 1"), func(db postgres.Queryer) error {
		_, err := db.Exec(ctx, "INSERT INTO things VALUES (1)")
		return err
	})
	require.ErrorContains(t, err, "only reads")
	err = postgres.Together(ctx, db, func(db postgres.Queryer) error {
		if err := number(ctx, &n, "SELECT 1")(db); err != nil {
			return err
		}
		return number(ctx, &n, "SELECT 2")(db)
	}, number(ctx, &n, "SELECT 3"))
	require.ErrorContains(t, err, "one statement")
}
