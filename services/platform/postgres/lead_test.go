package postgres_test

import (
	"context"
	"errors"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"serein.app/services/platform/postgres"
	"serein.app/services/testkit"
)

// The server notices the end of a connection some time later: who asks in between must not be refused for nothing.
func TestWhoHasLedLeavesTheLeadToTheNextAtOnce(t *testing.T) {
	t.Parallel()
	db := testkit.Postgres(t, "mail", migrate).Pool
	failed := errors.New("failed")
	for range 200 {
		led, err := postgres.Lead(t.Context(), db, "a lock", func(ctx context.Context, _ *pgxpool.Conn) error {
			other, err := postgres.Lead(ctx, db, "a lock", func(context.Context, *pgxpool.Conn) error { return nil })
			require.NoError(t, err)
			require.False(t, other, "one at a time")
			return failed
		})
		require.True(t, led)
		require.ErrorIs(t, err, failed)
	}
}

func TestWhoIsCutOffWhileLeadingLeavesTheLead(t *testing.T) {
	t.Parallel()
	db := testkit.Postgres(t, "mail", migrate).Pool
	ctx, stop := context.WithCancel(t.Context())
	led, err := postgres.Lead(ctx, db, "a lock", func(ctx context.Context, conn *pgxpool.Conn) error {
		stop()
		_, err := conn.Exec(ctx, `SELECT 1`)
		return err
	})
	require.True(t, led)
	require.ErrorIs(t, err, context.Canceled)
	led, err = postgres.Lead(t.Context(), db, "a lock", func(context.Context, *pgxpool.Conn) error { return nil })
	require.NoError(t, err)
	require.True(t, led)
}
