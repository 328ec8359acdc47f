package web

import (
	"sync"

	"serein.app/gateway/internal/guard"
)

// maxStreams is how many streams one member may have open here: one a tab, and those that a
// lost connection left behind.
const maxStreams = 16

// retryStream is how long to wait for one of them to end, in Retry-After.
const retryStream = Heartbeat

// streams counts open streams by member.
type streams struct {
	mu   sync.Mutex
	open map[string]int
}

func newStreams() *streams { return &streams{open: map[string]int{}} }

func (s *streams) enter(uid string) (leave func(), err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.open[uid] >= maxStreams {
		return nil, guard.TooSoon(retryStream)
	}
	s.open[uid]++
	return func() { s.leave(uid) }, nil
}

func (s *streams) leave(uid string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.open[uid]--; s.open[uid] <= 0 {
		delete(s.open, uid)
	}
}
