// Package jobs runs the periodic repairs on River, so that one replica at a time does them.
// Narration itself is not here: its queue is the meditations table (see package postgres).
package jobs

import (
	"context"
	"errors"
	"time"

	"github.com/riverqueue/river"
)

// Every is how often the sweep runs. It bounds how long a hold outlives an outage of billing.
const Every = 5 * time.Second

// Sweep ends what crashes and outages left behind.
type Sweep struct{}

// Kind is the job's stable name.
func (Sweep) Kind() string { return "generation.sweep" }

// KindAliases are names that the job had.
func (Sweep) KindAliases() []string { return []string{"generation_sweep"} }

// InsertOpts say that a sweep that failed is not repeated, since the next one is due at once, and
// that there is one a period, whichever replica leads.
func (Sweep) InsertOpts() river.InsertOpts {
	return river.InsertOpts{MaxAttempts: 1, UniqueOpts: river.UniqueOpts{ByPeriod: Every}}
}

// Sweeper is what a sweep calls.
type Sweeper interface {
	Sweep(ctx context.Context) error
}

// All sweep one after the other, whatever one of them cannot do.
type All []Sweeper

// Sweep sweeps.
func (a All) Sweep(ctx context.Context) error {
	faults := make([]error, len(a))
	for i, s := range a {
		faults[i] = s.Sweep(ctx)
	}
	return errors.Join(faults...)
}

type worker struct {
	river.WorkerDefaults[Sweep]
	sweeper Sweeper
}

// Work runs one sweep.
func (w *worker) Work(ctx context.Context, _ *river.Job[Sweep]) error { return w.sweeper.Sweep(ctx) }

// Timeout of one sweep: a hundred calls to billing at most, eight at once, each of 3 seconds at most.
func (*worker) Timeout(*river.Job[Sweep]) time.Duration { return time.Minute }

// Workers are what the job client works with: the sweep, and the removal of spoken sentences.
func Workers(s, spoken Sweeper) *river.Workers {
	workers := river.NewWorkers()
	river.AddWorker(workers, &worker{sweeper: s})
	river.AddWorker(workers, &spokenWorker{sweeper: spoken})
	return workers
}

// Periodic is when they run.
func Periodic() []*river.PeriodicJob {
	return []*river.PeriodicJob{river.NewPeriodicJob(
		river.PeriodicInterval(Every),
		func() (river.JobArgs, *river.InsertOpts) { return Sweep{}, nil },
		&river.PeriodicJobOpts{RunOnStart: true},
	), river.NewPeriodicJob(
		river.PeriodicInterval(SpokenEvery),
		func() (river.JobArgs, *river.InsertOpts) { return Spoken{}, nil },
		&river.PeriodicJobOpts{RunOnStart: true},
	)}
}
