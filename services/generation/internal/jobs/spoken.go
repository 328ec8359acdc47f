package jobs

import (
	"context"
	"time"

	"github.com/riverqueue/river"
)

// SpokenEvery is how often spoken sentences are removed that are beyond the limit.
const SpokenEvery = time.Minute

// Spoken removes the spoken sentences that were used the longest ago.
type Spoken struct{}

// Kind is the job's stable name.
func (Spoken) Kind() string { return "generation.spoken" }

// SpokenQueue is the job's queue. No sweep waits for it.
const SpokenQueue = "spoken"

// InsertOpts say what Sweep's say.
func (Spoken) InsertOpts() river.InsertOpts {
	return river.InsertOpts{MaxAttempts: 1, Queue: SpokenQueue, UniqueOpts: river.UniqueOpts{ByPeriod: SpokenEvery}}
}

type spokenWorker struct {
	river.WorkerDefaults[Spoken]
	sweeper Sweeper
}

// Work removes what is beyond the limit.
func (w *spokenWorker) Work(ctx context.Context, _ *river.Job[Spoken]) error {
	return w.sweeper.Sweep(ctx)
}

// Timeout of one removal; the next one goes on.
func (*spokenWorker) Timeout(*river.Job[Spoken]) time.Duration { return SpokenEvery }
