package meditation

import (
	"context"
	"errors"
	"sync"
	"time"

	"serein.app/services/generation/internal/recovery"
)

const (
	// DefaultLease is how long a worker may be silent before its work is given to another one:
	// three heartbeats, and short enough that a member hardly notices the repair.
	DefaultLease = 15 * time.Second
	// pollEvery finds work whose wait or lease has run out; new work rings the bell.
	pollEvery = time.Second
	// yieldTime bounds the goodbye of a worker that is being stopped.
	yieldTime = 3 * time.Second
)

// Worker takes work from the queue and does it, a bounded number of pieces at once.
type Worker struct {
	service *Service
	lease   time.Duration
	// free has a token for every narrator that is at rest.
	free chan struct{}
}

// NewWorker makes a Worker with narrators ≥ 1 working at once.
func NewWorker(s *Service, narrators int, lease time.Duration) *Worker {
	w := &Worker{service: s, lease: lease, free: make(chan struct{}, max(narrators, 1))}
	for range cap(w.free) {
		w.free <- struct{}{}
	}
	return w
}

// Run works until ctx ends. It then gives its work back, so that the next process goes on at
// once, and returns when that is done.
func (w *Worker) Run(ctx context.Context) error {
	rings, stop := w.service.Bell.Listen(TopicQueue)
	defer stop()
	var working sync.WaitGroup
	defer working.Wait()
	for w.rest(ctx) {
		m, ok, err := w.service.Store.Claim(ctx, w.lease)
		if err != nil && ctx.Err() == nil {
			w.service.Log.WarnContext(ctx, "queue cannot be read", "error", err)
		}
		if ok {
			working.Go(func() {
				defer func() { w.free <- struct{}{} }()
				w.work(ctx, m)
			})
			continue
		}
		w.free <- struct{}{}
		w.await(ctx, rings)
	}
	return nil
}

// rest waits for a free narrator.
func (w *Worker) rest(ctx context.Context) bool {
	select {
	case <-w.free:
		return ctx.Err() == nil
	case <-ctx.Done():
		return false
	}
}

// await waits until there may be work.
func (w *Worker) await(ctx context.Context, rings <-chan struct{}) {
	poll := time.NewTimer(pollEvery)
	defer poll.Stop()
	select {
	case <-rings:
	case <-poll.C:
	case <-ctx.Done():
	}
}

// work does one piece of work as far as it goes now, and decides what becomes of it.
func (w *Worker) work(parent context.Context, m Meditation) {
	ctx, cancel := context.WithCancelCause(parent)
	var watching sync.WaitGroup
	watching.Go(func() {
		if err := w.guard(ctx, m); err != nil {
			cancel(err)
		}
	})
	job := &job{Service: w.service, m: m}
	err := job.safely(ctx)
	if cause := context.Cause(ctx); cause != nil && err != nil {
		err = cause
	}
	cancel(nil)
	// No heartbeat may arrive after the goodbye: it would take the lease again.
	watching.Wait()
	w.conclude(parent, job.m, err)
}

// guard keeps the lease until ctx ends. Its error is why the work must stop: the lease is lost, or
// the member has cancelled.
func (w *Worker) guard(ctx context.Context, m Meditation) (err error) {
	defer recovery.ToError(&err)
	rings, stop := w.service.Bell.Listen(TopicStopped(m.ID))
	defer stop()
	beat := time.NewTicker(w.lease / 3)
	defer beat.Stop()
	for {
		if err := w.beat(ctx, m); errors.Is(err, ErrLost) {
			return ErrLost
		}
		select {
		case <-ctx.Done():
			return nil
		case <-rings:
		case <-beat.C:
		}
	}
}

// beat is not cut off in the middle: the database would do it after we had given up on it.
func (w *Worker) beat(ctx context.Context, m Meditation) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), w.lease/3)
	defer cancel()
	return w.service.Store.Beat(ctx, m, w.lease)
}

// conclude writes down what the end of a piece of work means. A process that is stopped gives
// the work back without blame; a setback counts, and too many of them fail it.
func (w *Worker) conclude(parent context.Context, m Meditation, err error) {
	if err == nil || errors.Is(err, ErrLost) {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(parent), yieldTime)
	defer cancel()
	log := w.service.Log.With("meditation", m.ID, "state", m.State, "attempt", m.Attempt, "tries", m.Tries)
	wait, setbacks := time.Duration(0), 0
	if parent.Err() == nil {
		wait, setbacks = backoff(m.Tries), 1
		log.WarnContext(ctx, "work had a setback", "error", err)
	}
	if yerr := w.service.Store.Yield(ctx, m, wait, setbacks); yerr != nil && !errors.Is(yerr, ErrLost) {
		log.WarnContext(ctx, "work cannot be given back; its lease will lapse", "error", yerr)
	}
}
