package meditation

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"serein.app/services/generation/internal/recovery"
	"serein.app/services/platform/deadline"
	"serein.app/services/platform/pause"
)

const (
	// DefaultLease is how long a worker may be silent before its work is given to others: three
	// heartbeats, and short enough that a member hardly notices the repair.
	DefaultLease = 6 * time.Second
	// pollEvery finds work that a dead worker had, or whose wait has run out; new work is notified.
	pollEvery = time.Second
)

// endingTime bounds what is still written down when the work has stopped.
var endingTime = deadline.Of(3 * time.Second)

// Workshop takes meditations from the queue and makes them, a bounded number at once.
type Workshop struct {
	service *Service
	worker  Worker
	// slots holds one for every meditation that is being made, and one more while the next is looked for.
	slots chan struct{}
	// held counts what is being made; suspect says that it is one with which processes died.
	held    atomic.Int32
	suspect atomic.Bool
	// freed has room for one: something ended, so that this worker may have nothing in hand now.
	freed chan struct{}
}

// NewWorkshop makes a Workshop of that worker, which makes at most slots ≥ 1 meditations at once.
func NewWorkshop(s *Service, w Worker, slots int) *Workshop {
	return &Workshop{service: s, worker: w, slots: make(chan struct{}, max(slots, 1)), freed: make(chan struct{}, 1)}
}

// Run works until ctx ends. It then gives its work back, so that the next process goes on at
// once, and returns when that is done.
func (w *Workshop) Run(ctx context.Context) error {
	if !w.arrive(ctx) {
		return nil
	}
	notified, unsubscribe := w.service.Notifier.Subscribe(TopicQueue)
	defer unsubscribe()
	defer w.leave(ctx)
	var living, working sync.WaitGroup
	defer living.Wait()
	defer working.Wait()
	living.Go(func() { w.live(ctx) })
	for w.acquireSlot(ctx) {
		m, ok, err := w.claim(ctx)
		if err != nil && ctx.Err() == nil {
			w.service.Log.WarnContext(ctx, "queue cannot be read", "error", err)
		}
		if ok {
			w.held.Add(1)
			w.suspect.Store(m.suspect())
			working.Go(func() {
				defer w.releaseSlot()
				defer w.finished()
				if err := w.work(ctx, m); err != nil {
					w.service.Log.ErrorContext(ctx, "work has no outcome; it stays until its deadline", "meditation", m.ID, "error", err)
				}
			})
			continue
		}
		w.releaseSlot()
		w.waitForWork(ctx, notified)
	}
	return nil
}

// claim takes the next work, and nothing beside what is suspect: if the process dies, it is known of what.
func (w *Workshop) claim(ctx context.Context) (Meditation, bool, error) {
	if w.suspect.Load() {
		return Meditation{}, false, nil
	}
	load := w.service.Load()
	return w.service.Store.Claim(ctx, Claim{
		Worker: w.worker.ID, Alone: w.held.Load() == 0,
		Newest: load.overloaded(), Effort: w.service.effort(), Now: w.service.Now(),
	})
}

// finished says that a piece of work is not in hand any more.
func (w *Workshop) finished() {
	w.suspect.Store(false) // it was alone
	w.held.Add(-1)
	select {
	case w.freed <- struct{}{}:
	default:
	}
}

// acquireSlot waits for a free slot; it says false when ctx ends.
func (w *Workshop) acquireSlot(ctx context.Context) bool {
	select {
	case w.slots <- struct{}{}:
		return ctx.Err() == nil
	case <-ctx.Done():
		return false
	}
}

func (w *Workshop) releaseSlot() { <-w.slots }

// waitForWork waits until there may be some.
func (w *Workshop) waitForWork(ctx context.Context, notified <-chan struct{}) {
	poll := time.NewTimer(pollEvery)
	defer poll.Stop()
	select {
	case <-notified:
	case <-w.freed:
	case <-poll.C:
	case <-ctx.Done():
	}
}

// work makes one meditation as far as it goes now, and records the outcome. Its error is a panic in
// that recording; one while the meditation was made is an outcome.
func (w *Workshop) work(parent context.Context, m Meditation) (err error) {
	defer recovery.ToError(&err)
	ctx, cancel := context.WithCancelCause(parent)
	var watching sync.WaitGroup
	watching.Go(func() {
		if err := w.watchOwnership(ctx, m); err != nil {
			cancel(err)
		}
	})
	job := &job{Service: w.service, m: m}
	outcome := job.run(ctx)
	if cause := context.Cause(ctx); cause != nil && outcome != nil {
		outcome = cause
	}
	cancel(nil)
	watching.Wait()
	w.recordOutcome(parent, job.m, outcome)
	return nil
}

// watchOwnership looks whether the work is still this attempt's, until ctx ends. Its error is why the work
// must stop: another worker has it, or the member has cancelled.
func (w *Workshop) watchOwnership(ctx context.Context, m Meditation) (err error) {
	defer recovery.ToError(&err)
	stopped, unsubscribe := w.service.Notifier.Subscribe(TopicStopped(m.ID))
	defer unsubscribe()
	due := time.NewTicker(w.worker.Lease)
	defer due.Stop()
	for {
		if err := w.service.Store.Owned(ctx, m); errors.Is(err, ErrLost) {
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

// recordOutcome gives work back that has not ended. As long as that cannot be written down, nobody else can
// take the work, so it is tried until this worker stops: by then it counts as dead.
func (w *Workshop) recordOutcome(parent context.Context, m Meditation, err error) {
	if err == nil || errors.Is(err, ErrLost) {
		return
	}
	log := w.service.Log.With("meditation", m.ID, "state", m.State, "attempt", m.Attempt, "tries", m.Tries)
	b := setbackOf(parent, m, err)
	w.service.Metrics.Setback(context.WithoutCancel(parent), b.reason)
	if b.reason != setbackStopped {
		log.WarnContext(parent, "work had a setback", "reason", b.reason, "error", err)
	}
	for {
		err := w.giveBack(parent, m, b)
		if err == nil || errors.Is(err, ErrLost) {
			return
		}
		log.WarnContext(parent, "work cannot be given back", "error", err)
		if parent.Err() != nil {
			return
		}
		_ = pause.For(parent, pollEvery)
	}
}

// giveBack tries once, also while the process is being stopped.
func (w *Workshop) giveBack(parent context.Context, m Meditation, b setback) (err error) {
	defer recovery.ToError(&err)
	ctx, cancel := ending(parent)
	defer cancel()
	return w.service.Store.GiveBack(ctx, m, b.wait, b.counts)
}

// ending is for what must be written down although ctx has ended, or ends meanwhile: what is given back, and the end
// of work, which itself tells watchOwnership that the work is nobody's any more.
func ending(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(ctx), endingTime)
}
