package jobs_test

import (
	"context"
	"testing"
	"time"

	"github.com/riverqueue/river"
	"github.com/stretchr/testify/require"

	"serein.app/services/billing"
	"serein.app/services/billing/internal/jobs"
	platformjobs "serein.app/services/platform/jobs"
	"serein.app/services/testkit"
)

func TestASweepQueuedUnderItsFormerNameIsStillRun(t *testing.T) {
	t.Parallel()
	db := testkit.Postgres(t, billing.Name, billing.Migrate)
	_, err := db.Pool.Exec(t.Context(), `INSERT INTO river_job (kind, args, max_attempts) VALUES ('sweep_credits', '{}', 1)`)
	require.NoError(t, err)
	swept := make(chan struct{}, 1)
	workers, _ := jobs.New(func(context.Context) (int, error) { swept <- struct{}{}; return 0, nil }, nil)
	client, err := platformjobs.New(db.Pool, workers, map[string]int{river.QueueDefault: 1}, nil, testkit.Logger(t), testkit.Telemetry(t).Metrics)
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- platformjobs.Run(client, testkit.Logger(t))(ctx) }()
	require.Eventually(t, func() bool { return len(swept) == 1 }, 20*time.Second, 5*time.Millisecond)
	cancel()
	require.NoError(t, <-ended)
}
