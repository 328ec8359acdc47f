package meditation

import (
	"context"
	"sync"
	"time"
)

const (
	// admitWithin: a request is accepted while all that is accepted, it included, can be narrated in that
	// time. The rest of Patience is for repairs, and for a pace that was measured wrong by a fifth.
	admitWithin = Patience * 8 / 10
	// readmitAt: once full, requests are refused until the queue has shrunk to that, so that the waiting
	// time that members are told is one after which there is room for many.
	readmitAt = Patience * 6 / 10
	// overloadedAt: work that was accepted cannot all be finished in time.
	overloadedAt = Patience * 9 / 10
	// lookEvery is how old the load may be.
	lookEvery = time.Second
	// noWorkerPause is what members are told to wait where nobody works.
	noWorkerPause = time.Minute
)

// admission decides whether there is time for a request. It asks nobody: the load is looked at once a
// second, and what this process has accepted since is added to it.
type admission struct {
	mu   sync.Mutex
	load Load
	// accepted since the last look, and in the interval before it: that may not have been in the queue when
	// the queue was looked at.
	accepted, before time.Duration
	full             bool
}

// admit reserves time for that much sound, or answers after how long there will be some.
func (a *admission) admit(sound time.Duration) (wait time.Duration, ok bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if !a.load.Known {
		return 0, true
	}
	if a.load.Rate == 0 {
		return noWorkerPause, false
	}
	limit := admitWithin
	if a.full {
		limit = readmitAt
	}
	needed := a.load.wait(a.load.Sound + a.accepted + a.before + sound)
	if a.full = needed > limit; a.full {
		return max(needed-readmitAt, time.Second), false
	}
	a.accepted += sound
	return 0, true
}

// cancel gives reserved time back.
func (a *admission) cancel(sound time.Duration) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.accepted = max(a.accepted-sound, 0)
}

// look takes over a load that was read since the last look.
func (a *admission) look(l Load) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.load, a.before, a.accepted = l, a.accepted, 0
}

func (a *admission) current() Load {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.load
}

// Load is what waits and who works, as it was looked at last.
func (s *Service) Load() Load { return s.admission.current() }

// WatchLoad looks at the load until ctx ends. Without an answer the last one stands.
func (s *Service) WatchLoad(ctx context.Context) error {
	due := time.NewTicker(lookEvery)
	defer due.Stop()
	for {
		if err := s.LookAtLoad(ctx); err != nil && ctx.Err() == nil {
			s.Log.WarnContext(ctx, "load cannot be read", "error", err)
		}
		select {
		case <-ctx.Done():
			return nil
		case <-due.C:
		}
	}
}

// LookAtLoad looks once.
func (s *Service) LookAtLoad(ctx context.Context) error {
	l, err := s.Store.Load(ctx)
	if err == nil {
		s.admission.look(l)
	}
	return err
}

// effort is the least time that a second of sound takes in one process, where all recorders work for it.
func (s *Service) effort() time.Duration {
	l := s.Load()
	if l.Rate == 0 || l.Workers == 0 {
		return 0
	}
	return time.Duration(float64(time.Second) * float64(l.Workers) / l.Rate.Seconds())
}
