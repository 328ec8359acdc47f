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

func TestJobsQueuedUnderTheirFormerNamesAreStillWorked(t *testing.T) {
	t.Parallel()
	db := testkit.Postgres(t, billing.Name, billing.Migrate)
	_, err := db.Pool.Exec(t.Context(), `INSERT INTO river_job (kind, args, max_attempts)
		VALUES ('sweep_credits', '{}', 1), ('clean_outbox', '{}', 1)`)
	require.NoError(t, err)
	worked := make(chan string, 2)
	workers, _ := jobs.New(
		func(context.Context) (int, error) { worked <- "swept"; return 0, nil },
		func(context.Context) error { worked <- "cleaned"; return nil },
	)
	client, err := platformjobs.New(db.Pool, workers, map[string]int{river.QueueDefault: 1}, nil, testkit.Logger(t))
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- platformjobs.Run(client, testkit.Logger(t))(ctx) }()
	require.Eventually(t, func() bool { return len(worked) == 2 }, 20*time.Second, 5*time.Millisecond)
	require.ElementsMatch(t, []string{"swept", "cleaned"}, []string{<-worked, <-worked})
	cancel()
	require.NoError(t, <-ended)
}
