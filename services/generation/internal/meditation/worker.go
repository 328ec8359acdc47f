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
	// pollEvery finds work whose wait or lease has run out; new work is notified.
	pollEvery = time.Second
	// giveBackTime bounds how long a worker that is being stopped tries to give its work back.
	giveBackTime = 3 * time.Second
)

// Worker takes meditations from the queue and makes them, a bounded number at once.
type Worker struct {
	service *Service
	lease   time.Duration
	// slots holds one for every meditation that is being made.
	slots chan struct{}
}

// NewWorker makes a Worker that makes at most slots ≥ 1 meditations at once.
func NewWorker(s *Service, slots int, lease time.Duration) *Worker {
	return &Worker{service: s, lease: lease, slots: make(chan struct{}, max(slots, 1))}
}

// Run works until ctx ends. It then gives its work back, so that the next process goes on at
// once, and returns when that is done.
func (w *Worker) Run(ctx context.Context) error {
	notified, unsubscribe := w.service.Notifier.Subscribe(TopicQueue)
	defer unsubscribe()
	var working sync.WaitGroup
	defer working.Wait()
	for w.acquireSlot(ctx) {
		m, ok, err := w.service.Store.Claim(ctx, w.lease)
		if err != nil && ctx.Err() == nil {
			w.service.Log.WarnContext(ctx, "queue cannot be read", "error", err)
		}
		if ok {
			working.Go(func() {
				defer w.releaseSlot()
				if err := w.work(ctx, m); err != nil {
					w.service.Log.ErrorContext(ctx, "work has no outcome; its lease will lapse", "meditation", m.ID, "error", err)
				}
			})
			continue
		}
		w.releaseSlot()
		w.waitForWork(ctx, notified)
	}
	return nil
}

// acquireSlot waits for a free slot; it says false when ctx ends.
func (w *Worker) acquireSlot(ctx context.Context) bool {
	select {
	case w.slots <- struct{}{}:
		return ctx.Err() == nil
	case <-ctx.Done():
		return false
	}
}

func (w *Worker) releaseSlot() { <-w.slots }

// waitForWork waits until there may be some.
func (w *Worker) waitForWork(ctx context.Context, notified <-chan struct{}) {
	poll := time.NewTimer(pollEvery)
	defer poll.Stop()
	select {
	case <-notified:
	case <-poll.C:
	case <-ctx.Done():
	}
}

// work makes one meditation as far as it goes now, and records the outcome. Its error is a panic in
// that recording; one while the meditation was made is an outcome.
func (w *Worker) work(parent context.Context, m Meditation) (err error) {
	defer recovery.ToError(&err)
	ctx, cancel := context.WithCancelCause(parent)
	var renewing sync.WaitGroup
	renewing.Go(func() {
		if err := w.keepLease(ctx, m); err != nil {
			cancel(err)
		}
	})
	job := &job{Service: w.service, m: m}
	outcome := job.run(ctx)
	if cause := context.Cause(ctx); cause != nil && outcome != nil {
		outcome = cause
	}
	cancel(nil)
	// A renewal that reached the database after the work was given back would take the lease again.
	renewing.Wait()
	w.recordOutcome(parent, job.m, outcome)
	return nil
}

// keepLease renews the lease until ctx ends. Its error is why the work must stop: the lease is lost, or
// the member has cancelled.
func (w *Worker) keepLease(ctx context.Context, m Meditation) (err error) {
	defer recovery.ToError(&err)
	stopped, unsubscribe := w.service.Notifier.Subscribe(TopicStopped(m.ID))
	defer unsubscribe()
	due := time.NewTicker(w.lease / 3)
	defer due.Stop()
	for {
		if err := w.renewLease(ctx, m); errors.Is(err, ErrLost) {
			return ErrLost
		}
		select {
		case <-ctx.Done():
			return nil
		case <-stopped:
		case <-due.C:
		}
	}
}

// renewLease is not cut off in the middle: the database might do it after we had given up on it.
func (w *Worker) renewLease(ctx context.Context, m Meditation) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), w.lease/3)
	defer cancel()
	return w.service.Store.RenewLease(ctx, m, w.lease)
}

// recordOutcome gives work back that has not ended. That the process is being stopped is no setback
// of the work; everything else is, and too many of them fail it.
func (w *Worker) recordOutcome(parent context.Context, m Meditation, err error) {
	if err == nil || errors.Is(err, ErrLost) {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(parent), giveBackTime)
	defer cancel()
	log := w.service.Log.With("meditation", m.ID, "state", m.State, "attempt", m.Attempt, "tries", m.Tries)
	wait, setbacks := time.Duration(0), 0
	if parent.Err() == nil {
		wait, setbacks = backoff(m.Tries), 1
		log.WarnContext(ctx, "work had a setback", "error", err)
	}
	if err := w.service.Store.GiveBack(ctx, m, wait, setbacks); err != nil && !errors.Is(err, ErrLost) {
		log.WarnContext(ctx, "work cannot be given back; its lease will lapse", "error", err)
	}
}
