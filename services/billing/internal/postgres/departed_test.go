package postgres_test

import (
	"context"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	store "serein.app/services/billing/internal/postgres"
	"serein.app/services/platform/erasure"
	"serein.app/services/platform/postgres"
)

// The release before notes deletions in departures alone: those of before the migration are known by their fingerprint, and those
// that it notes beside this release.
func TestDeletionsOfTheReleaseBeforeAreKnown(t *testing.T) {
	t.Parallel()
	b := setup(t)
	owner, err := pgx.Connect(t.Context(), b.OwnerURL)
	require.NoError(t, err)
	t.Cleanup(func() { _ = owner.Close(context.Background()) })
	_, err = owner.Exec(t.Context(), `DROP TRIGGER departures_note_departed ON departures; DROP FUNCTION note_departed; DROP TABLE departed;
		DELETE FROM service_migrations WHERE version_id = 39`)
	require.NoError(t, err, "the release before")
	before, meanwhile, member := uuid.New(), uuid.New(), uuid.New()
	depart := func(uid uuid.UUID) {
		_, err := b.Pool.Exec(t.Context(), `INSERT INTO departures (uid, departed_at) VALUES ($1, now())`, uid)
		require.NoError(t, err)
	}
	depart(before)
	require.NoError(t, store.Migrate(t.Context(), b.OwnerURL))
	depart(meanwhile)
	for uid, want := range map[uuid.UUID]bool{before: true, meanwhile: true, member: false} {
		require.NoError(t, postgres.InTx(t.Context(), b.Pool, func(ctx context.Context, tx pgx.Tx) error {
			departed, err := erasure.HasDeparted(ctx, tx, uid)
			require.Equal(t, want, departed)
			return err
		}))
	}
}
