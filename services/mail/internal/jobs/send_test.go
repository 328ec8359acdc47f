package jobs_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"serein.app/services/mail"
	"serein.app/services/mail/internal/jobs"
	platformjobs "serein.app/services/platform/jobs"
	"serein.app/services/testkit"
)

func TestACleaningQueuedUnderItsFormerNameIsStillDone(t *testing.T) {
	t.Parallel()
	db, log := testkit.Postgres(t, mail.Name, mail.Migrate), testkit.Logger(t)
	_, err := db.Pool.Exec(t.Context(), `INSERT INTO river_job (kind, args, queue, max_attempts) VALUES ('clean_outbox', '{}', 'mail', 1)`)
	require.NoError(t, err)
	cleaned := make(chan struct{}, 1)
	workers, _ := jobs.New(&jobs.Worker{}, func(context.Context) error { cleaned <- struct{}{}; return nil })
	client, err := platformjobs.New(db.Pool, workers, map[string]int{jobs.Queue: 1}, nil, log)
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- platformjobs.Run(client, log)(ctx) }()
	require.Eventually(t, func() bool { return len(cleaned) == 1 }, 20*time.Second, 5*time.Millisecond)
	cancel()
	require.NoError(t, <-ended)
}
