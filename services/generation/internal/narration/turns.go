package narration

import (
	"context"
	"slices"
	"sync"
)

// turns shares out the workers. Who waits for the first segment of a recording comes before
// all who already have something to hear; otherwise turns go in the order of asking.
type turns struct {
	mu            sync.Mutex
	free          int
	first, others []chan struct{}
}

// take waits for a worker.
func (t *turns) take(ctx context.Context, first bool) error {
	t.mu.Lock()
	if t.free > 0 {
		t.free--
		t.mu.Unlock()
		return nil
	}
	line := &t.others
	if first {
		line = &t.first
	}
	turn := make(chan struct{})
	*line = append(*line, turn)
	t.mu.Unlock()
	select {
	case <-turn:
		return nil
	case <-ctx.Done():
		t.leave(line, turn)
		return ctx.Err()
	}
}

// leave gives up a place in the line, or the turn that came at the same moment.
func (t *turns) leave(line *[]chan struct{}, turn chan struct{}) {
	t.mu.Lock()
	at := slices.Index(*line, turn)
	if at >= 0 {
		*line = slices.Delete(*line, at, at+1)
	}
	t.mu.Unlock()
	if at < 0 {
		t.give()
	}
}

// give hands the worker to the next in line.
func (t *turns) give() {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, line := range []*[]chan struct{}{&t.first, &t.others} {
		if len(*line) > 0 {
			close((*line)[0])
			*line = slices.Delete(*line, 0, 1)
			return
		}
	}
	t.free++
}
