package postgres_test

import (
	"context"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	store "serein.app/services/content/internal/postgres"
	"serein.app/services/platform/erasure"
)

// The release before notes deletions in another table: both releases know those of either, and those of before the migration.
func TestDeletionsAreKnownBesideTheReleaseBefore(t *testing.T) {
	t.Parallel()
	h := setup(t)
	owner, err := pgx.Connect(t.Context(), h.OwnerURL)
	require.NoError(t, err)
	t.Cleanup(func() { _ = owner.Close(context.Background()) })
	_, err = owner.Exec(t.Context(), `DROP TRIGGER search_forgotten_departed ON search_forgotten; DROP TABLE departed; DROP FUNCTION note_departed, note_forgotten;
		DROP TABLE course_progress, diary_entries, diary_keepers; DELETE FROM service_migrations WHERE version_id >= 25`)
	require.NoError(t, err, "the release before")
	before, meanwhile, after := uuid.New(), uuid.New(), uuid.New()
	forget := func(uid uuid.UUID) {
		_, err := h.Pool.Exec(t.Context(), `INSERT INTO search_forgotten (member, forgotten_at) VALUES (sha256(uuid_send($1)), now()) ON CONFLICT DO NOTHING`, uid)
		require.NoError(t, err)
	}
	forget(before)
	require.NoError(t, store.Migrate(t.Context(), h.OwnerURL))
	forget(meanwhile)
	h.Tx(t, func(ctx context.Context, tx pgx.Tx) error { return erasure.Depart(ctx, tx, after, h.Now) })
	for _, uid := range []uuid.UUID{before, meanwhile, after} {
		h.Tx(t, func(ctx context.Context, tx pgx.Tx) error {
			departed, err := erasure.HasDeparted(ctx, tx, uid)
			require.True(t, departed)
			return err
		})
	}
	require.Equal(t, 3, h.Count(t, "SELECT count(*) FROM search_forgotten"), "what the release before reads")
}
