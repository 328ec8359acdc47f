// Package jobs settles members who are not looking: it ends holds that ran out and posts the
// expiry of plan credits. No figure depends on it, since every read and change settles its own
// member first; it keeps the events and the ledger timely. And it does what waits for the payment
// provider, as often as it takes.
package jobs

import (
	"context"
	"time"

	"github.com/riverqueue/river"
)

// sweepEvery is how often the sweep runs.
const sweepEvery = 30 * time.Second

// SweepArgs asks for one sweep over all members.
type SweepArgs struct{}

// Kind is the stable name of the job.
func (SweepArgs) Kind() string { return "billing.sweep" }

// KindAliases are names that the job had.
func (SweepArgs) KindAliases() []string { return []string{"sweep_credits"} }

type sweeper struct {
	river.WorkerDefaults[SweepArgs]
	sweep func(context.Context) (int, error)
}

// Work sweeps once.
func (w *sweeper) Work(ctx context.Context, _ *river.Job[SweepArgs]) error {
	_, err := w.sweep(ctx)
	return err
}

// New gives the workers and when they run.
func New(sweep func(context.Context) (int, error), sales Sales, memberships Memberships) (*river.Workers, []*river.PeriodicJob) {
	workers := river.NewWorkers()
	river.AddWorker(workers, &sweeper{sweep: sweep})
	addSales(workers, sales)
	addMemberships(workers, memberships)
	return workers, []*river.PeriodicJob{
		river.NewPeriodicJob(
			river.PeriodicInterval(sweepEvery),
			// A failed run is not tried again: the next one comes anyway.
			func() (river.JobArgs, *river.InsertOpts) { return SweepArgs{}, &river.InsertOpts{MaxAttempts: 1} },
			&river.PeriodicJobOpts{RunOnStart: true},
		),
		// At the start of everything content may come after billing: River's waits are a second, then sixteen.
		planned(sweeps, syncEvery, 3, SyncPricesArgs{}), planned(sweeps, pollEvery, 1, PollPendingOrdersArgs{}), planned(sweeps, lookEvery, 1, SweepMembershipsArgs{}),
		planned(comparisons, reconcileEvery, 3, ReconcileArgs{}), planned(comparisons, reconcileEvery, 3, ReconcileMembershipsArgs{}),
	}
}
