package narration

import (
	"context"
	"slices"
	"sync"
)

// prioritySemaphore shares out the workers. Who waits for the first segment of a recording comes
// before all who already have something to hear; otherwise the order is that of asking.
type prioritySemaphore struct {
	mu          sync.Mutex
	free        int
	high, usual []chan struct{}
}

// acquire waits for a worker; it fails when ctx ends first.
func (s *prioritySemaphore) acquire(ctx context.Context, first bool) error {
	s.mu.Lock()
	if s.free > 0 {
		s.free--
		s.mu.Unlock()
		return nil
	}
	waiters := &s.usual
	if first {
		waiters = &s.high
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
			close((*waiters)[0])
			*waiters = slices.Delete(*waiters, 0, 1)
			return
		}
	}
	s.free++
}
