package inbox_test

import (
	"context"
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/require"

	"serein.app/services/platform/inbox"
	"serein.app/services/platform/outbox"
	"serein.app/services/platform/postgres"
	"serein.app/services/platform/retention"
	"serein.app/services/testkit"
)

// B7: what was handled is forgotten when it cannot come again.
func TestHandledEventsAreForgottenWhenTheyCannotComeAgain(t *testing.T) {
	t.Parallel()
	db := testkit.Postgres(t, "inboxes", func(ctx context.Context, url string) error { return postgres.Migrate(ctx, url, fstest.MapFS{}) })
	now := time.Now()
	_, err := db.Pool.Exec(t.Context(), `INSERT INTO inbox (consumer, event_id, handled_at)
		VALUES ('c', gen_random_uuid(), $1), ('c', gen_random_uuid(), $2)`, now.Add(-inbox.Policy().Keep), now.Add(-inbox.Policy().Keep+time.Hour))
	require.NoError(t, err)
	require.Equal(t, 1, testkit.Retain(t, db.Pool, []retention.Policy{inbox.Policy()}, now))
	// An event goes out again while its outbox has it, and stays in its stream for as long again.
	require.Greater(t, inbox.Policy().Keep, 2*outbox.Policy().Keep)
}
