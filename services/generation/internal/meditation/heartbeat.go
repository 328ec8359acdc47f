package meditation

import (
	"context"
	"time"

	"serein.app/services/generation/internal/recovery"
	"serein.app/services/platform/pause"
)

// arrive makes this worker known before it claims anything, however long that takes: work of a worker that
// nobody knows would never be taken back. It says false when ctx ends first.
func (w *Workshop) arrive(ctx context.Context) bool {
	for ctx.Err() == nil {
		err := w.beat(ctx, true)
		if err == nil {
			w.takeBack(ctx)
			return true
		}
		w.service.Log.WarnContext(ctx, "worker cannot be made known", "error", err)
		_ = pause.For(ctx, pollEvery)
	}
	return false
}

// live says that this worker lives, and takes the work of dead ones, until ctx ends.
func (w *Workshop) live(ctx context.Context) {
	beat := time.NewTicker(w.worker.Lease / 3)
	defer beat.Stop()
	look := time.NewTicker(pollEvery)
	defer look.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-beat.C:
			if err := w.beat(ctx, false); err != nil && ctx.Err() == nil {
				w.service.Log.WarnContext(ctx, "heartbeat was not heard", "error", err)
			}
		case <-look.C:
			w.takeBack(ctx)
		}
	}
}

func (w *Workshop) beat(ctx context.Context, first bool) (err error) {
	defer recovery.ToError(&err)
	ctx, cancel := context.WithTimeout(ctx, w.worker.Lease)
	defer cancel()
	worker := w.worker
	worker.Pace = w.service.Recorder.Pace()
	return w.service.Store.Beat(ctx, worker, first)
}

// takeBack makes claimable what dead workers had.
func (w *Workshop) takeBack(ctx context.Context) {
	n, err := w.service.Store.TakeBack(ctx)
	if err != nil && ctx.Err() == nil {
		w.service.Log.WarnContext(ctx, "work of dead workers cannot be taken", "error", err)
	}
	if n > 0 {
		w.service.Metrics.Lost(ctx, n)
		w.service.Log.WarnContext(ctx, "a worker has died; its work is taken over", "meditations", n)
	}
}

// leave says goodbye once nothing is in hand. If it is not heard, the lease runs out.
func (w *Workshop) leave(ctx context.Context) {
	ctx, cancel := ending(ctx)
	defer cancel()
	if err := w.service.Store.Leave(ctx, w.worker.ID); err != nil {
		w.service.Log.WarnContext(ctx, "goodbye was not heard", "error", err)
	}
}
