package narration

import (
	"context"
	"slices"
	"sync"
)

// prioritySemaphore shares out the workers. Who waits for the first segment of a recording comes
// before all who already have something to hear; otherwise the order is that of asking. What nobody
// waits for gets a spare worker: one that leaves another free, or the only one there is.
type prioritySemaphore struct {
	mu                 sync.Mutex
	free               int
	high, usual, spare []chan struct{}
	// keep is how many workers stay free when a spare one is given.
	keep int
}

// newPrioritySemaphore shares out that many workers.
func newPrioritySemaphore(workers int) *prioritySemaphore {
	return &prioritySemaphore{free: workers, keep: min(workers-1, 1)}
}

// acquire waits for a worker; it fails when ctx ends first.
func (s *prioritySemaphore) acquire(ctx context.Context, first bool) error {
	waiters := &s.usual
	if first {
		waiters = &s.high
	}
	return s.wait(ctx, waiters, 0)
}

// acquireSpare waits for a worker that nobody else needs; it fails when ctx ends first.
func (s *prioritySemaphore) acquireSpare(ctx context.Context) error {
	return s.wait(ctx, &s.spare, s.keep)
}

// wait takes a worker where more than keep are free, or waits among those waiters.
func (s *prioritySemaphore) wait(ctx context.Context, waiters *[]chan struct{}, keep int) error {
	s.mu.Lock()
	if s.free > keep {
		s.free--
		s.mu.Unlock()
		return nil
	}
	granted := make(chan struct{})
	*waiters = append(*waiters, granted)
	s.mu.Unlock()
	select {
	case <-granted:
		return nil
	case <-ctx.Done():
		s.giveUp(waiters, granted)
		return ctx.Err()
	}
}

// giveUp leaves the waiters, or releases the worker that was granted at the same moment.
func (s *prioritySemaphore) giveUp(waiters *[]chan struct{}, granted chan struct{}) {
	s.mu.Lock()
	at := slices.Index(*waiters, granted)
	if at >= 0 {
		*waiters = slices.Delete(*waiters, at, at+1)
	}
	s.mu.Unlock()
	if at < 0 {
		s.release()
	}
}

// release hands the worker to the next who waits.
func (s *prioritySemaphore) release() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, waiters := range []*[]chan struct{}{&s.high, &s.usual} {
		if len(*waiters) > 0 {
			grant(waiters)
			return
		}
	}
	s.free++
	if s.free > s.keep && len(s.spare) > 0 {
		s.free--
		grant(&s.spare)
	}
}

// grant wakes the one that waits longest.
func grant(waiters *[]chan struct{}) {
	close((*waiters)[0])
	*waiters = slices.Delete(*waiters, 0, 1)
}
