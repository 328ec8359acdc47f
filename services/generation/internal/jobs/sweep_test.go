package jobs_test

import (
	"context"
	"testing"
	"time"

	"github.com/riverqueue/river"
	"github.com/stretchr/testify/require"

	"serein.app/services/generation"
	"serein.app/services/generation/internal/jobs"
	platformjobs "serein.app/services/platform/jobs"
	"serein.app/services/testkit"
)

type sweeper chan struct{}

func (s sweeper) Sweep(context.Context) error { s <- struct{}{}; return nil }

func TestASweepQueuedUnderItsFormerNameIsStillRun(t *testing.T) {
	t.Parallel()
	db, log := testkit.Postgres(t, generation.Name, generation.Migrate), testkit.Logger(t)
	_, err := db.Pool.Exec(t.Context(), `INSERT INTO river_job (kind, args, max_attempts) VALUES ('generation_sweep', '{}', 1)`)
	require.NoError(t, err)
	swept := make(sweeper, 1)
	workers := jobs.Workers(swept, sweeper(nil))
	client, err := platformjobs.New(db.Pool, workers, map[string]int{river.QueueDefault: 1}, nil, log, testkit.Telemetry(t).Metrics)
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- platformjobs.Run(client, log)(ctx) }()
	require.Eventually(t, func() bool { return len(swept) == 1 }, testkit.Patience, 5*time.Millisecond)
	cancel()
	require.NoError(t, <-ended)
}
