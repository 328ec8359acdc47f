package jobs

import (
	"context"
	"time"

	"github.com/riverqueue/river"
)

// SweepEvery is how often mails are looked for that no job will end any more.
const SweepEvery = time.Minute

// SweepArgs asks for one sweep.
type SweepArgs struct{}

// Kind is the stable name of the job.
func (SweepArgs) Kind() string { return "mail.sweep" }

// InsertOpts say that a sweep that failed is not repeated, since the next one is due soon.
func (SweepArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{Queue: Queue, MaxAttempts: 1, UniqueOpts: river.UniqueOpts{ByPeriod: SweepEvery}}
}

// Sweeper ends mails that are past their use and whose job is gone: the queue gives a job up whose last attempt
// dies or cannot read the database, and what the mail says, a code above all, would be kept for good.
type Sweeper struct {
	river.WorkerDefaults[SweepArgs]
	Sweep func(ctx context.Context) (int, error)
}

// Work sweeps once.
func (w *Sweeper) Work(ctx context.Context, _ *river.Job[SweepArgs]) error {
	_, err := w.Sweep(ctx)
	return err
}

// Periodic is when sweeps run.
func Periodic() []*river.PeriodicJob {
	return []*river.PeriodicJob{river.NewPeriodicJob(river.PeriodicInterval(SweepEvery),
		func() (river.JobArgs, *river.InsertOpts) { return SweepArgs{}, nil }, &river.PeriodicJobOpts{RunOnStart: true})}
}
