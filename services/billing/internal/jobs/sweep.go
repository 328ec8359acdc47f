// Package jobs settles members who are not looking: it ends holds that ran out and posts the
// expiry of plan credits. No figure depends on it, since every read and change settles its own
// member first; it keeps the events and the ledger timely.
package jobs

import (
	"context"
	"time"

	"github.com/riverqueue/river"
)

// How often the jobs run.
const (
	sweepEvery = 30 * time.Second
	cleanEvery = 24 * time.Hour
)

// SweepArgs asks for one sweep over all members.
type SweepArgs struct{}

// Kind is the stable name of the job.
func (SweepArgs) Kind() string { return "billing.sweep" }

// KindAliases are names that the job had.
func (SweepArgs) KindAliases() []string { return []string{"sweep_credits"} }

// CleanArgs asks for published events that nobody can need any more to be removed.
type CleanArgs struct{}

// Kind is the stable name of the job.
func (CleanArgs) Kind() string { return "billing.outbox_cleanup" }

// KindAliases are names that the job had.
func (CleanArgs) KindAliases() []string { return []string{"clean_outbox"} }

type sweeper struct {
	river.WorkerDefaults[SweepArgs]
	sweep func(context.Context) (int, error)
}

// Work sweeps once.
func (w *sweeper) Work(ctx context.Context, _ *river.Job[SweepArgs]) error {
	_, err := w.sweep(ctx)
	return err
}

type cleaner struct {
	river.WorkerDefaults[CleanArgs]
	clean func(context.Context) error
}

// Work cleans once.
func (w *cleaner) Work(ctx context.Context, _ *river.Job[CleanArgs]) error { return w.clean(ctx) }

// New gives the workers and when they run.
func New(sweep func(context.Context) (int, error), clean func(context.Context) error) (*river.Workers, []*river.PeriodicJob) {
	workers := river.NewWorkers()
	river.AddWorker(workers, &sweeper{sweep: sweep})
	river.AddWorker(workers, &cleaner{clean: clean})
	// A failed run is not tried again: the next one comes anyway.
	once := &river.InsertOpts{MaxAttempts: 1}
	return workers, []*river.PeriodicJob{
		river.NewPeriodicJob(river.PeriodicInterval(sweepEvery),
			func() (river.JobArgs, *river.InsertOpts) { return SweepArgs{}, once }, &river.PeriodicJobOpts{RunOnStart: true}),
		river.NewPeriodicJob(river.PeriodicInterval(cleanEvery),
			func() (river.JobArgs, *river.InsertOpts) { return CleanArgs{}, once }, nil),
	}
}
