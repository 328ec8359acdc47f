// Package jobs is the queue of background work: River on the service's own PostgreSQL, so
// that a job is enqueued in the transaction of the change that wants it. Jobs carry ids, not
// payloads.
package jobs

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/rivertype"
	"go.opentelemetry.io/otel/metric"

	"serein.app/services/platform/failpoint"
)

// Client enqueues and works.
type Client = river.Client[pgx.Tx]

// New makes the client of a service. queues gives the number of workers of each queue, by
// name; "default" is River's default queue.
func New(db *pgxpool.Pool, workers *river.Workers, queues map[string]int, periodic []*river.PeriodicJob, log *slog.Logger, meters metric.MeterProvider) (*Client, error) {
	failures, err := newFailures(log, meters)
	if err != nil {
		return nil, err
	}
	cfg := &river.Config{
		Logger:       slog.New(warnings{log.Handler()}),
		ErrorHandler: failures,
		Middleware:   []rivertype.Middleware{river.WorkerMiddlewareFunc(failures.around)},
		Workers:      workers, PeriodicJobs: periodic,
		// While two releases run side by side, a job that only one knows waits for that one. Taken
		// by the other it would use up its attempts.
		FetchOnlyKnownKinds: true,
		// New jobs are announced by NOTIFY; these bound how soon and how rarely it looks.
		FetchCooldown: 50 * time.Millisecond, FetchPollInterval: 2 * time.Second,
		RescueStuckJobsAfter: rescueTime(),
		// What has ended goes by Policies, like everything else.
		CancelledJobRetentionPeriod: -1, CompletedJobRetentionPeriod: -1, DiscardedJobRetentionPeriod: -1,
		Queues: map[string]river.QueueConfig{},
	}
	for name, workers := range queues {
		cfg.Queues[name] = river.QueueConfig{MaxWorkers: workers}
	}
	client, err := river.NewClient(riverpgxv5.New(db), cfg)
	if err != nil {
		return nil, fmt.Errorf("job queue: %w", err)
	}
	return client, nil
}

// rescueTime is how long the job of a worker that died stays as it is: longer than the longest job's timeout. A build whose processes
// die on purpose has less patience; River leaves a job alone all the same until its own timeout is over.
func rescueTime() time.Duration {
	if failpoint.Built {
		return river.JobTimeoutDefault
	}
	return 15 * time.Minute
}

// Run works until ctx ends, then lets running jobs finish for a moment before it cuts them.
// It starts again when the database was away.
func Run(client *Client, log *slog.Logger) func(context.Context) error {
	return func(ctx context.Context) error {
		for ctx.Err() == nil {
			err := client.Start(context.WithoutCancel(ctx))
			if err == nil {
				<-ctx.Done()
				return stop(ctx, client)
			}
			log.WarnContext(ctx, "job queue waits for the database", "error", err)
			select {
			case <-ctx.Done():
			case <-time.After(500 * time.Millisecond):
			}
		}
		return nil
	}
}

func stop(ctx context.Context, client *Client) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 3*time.Second)
	defer cancel()
	if err := client.Stop(ctx); err == nil {
		return nil
	}
	hard, cancelHard := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancelHard()
	return client.StopAndCancel(hard)
}

// warnings drops River's own chatter below warning.
type warnings struct{ slog.Handler }

func (h warnings) Enabled(ctx context.Context, level slog.Level) bool {
	return level >= slog.LevelWarn && h.Handler.Enabled(ctx, level)
}

func (h warnings) WithAttrs(attrs []slog.Attr) slog.Handler {
	return warnings{h.Handler.WithAttrs(attrs)}
}

func (h warnings) WithGroup(name string) slog.Handler { return warnings{h.Handler.WithGroup(name)} }
