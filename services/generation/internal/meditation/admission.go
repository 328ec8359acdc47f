package meditation

import (
	"context"
	"sync"
	"time"

	"serein.app/services/platform/errs"
)

const (
	// overloadedAt: work that was accepted cannot all be finished in time.
	overloadedAt = Patience * 9 / 10
	// lookEvery is how old the load may be.
	lookEvery = time.Second
	// noWorkerPause is what members are told to wait where nobody works.
	noWorkerPause = time.Minute
)

// limit is a narrating time, that of all that is accepted, above which requests are refused.
type limit time.Duration

const (
	// forFirst leaves the rest of Patience for repairs, and for a pace that was measured wrong by a fifth.
	forFirst = limit(Patience * 8 / 10)
	// forMore: who has a piece at work already leaves room for those who have none. A few members cannot fill the studio.
	forMore = limit(Patience * 6 / 10)
	// closing: who is refused when that little is left below a limit closes it, until twice that is left. So the
	// waiting time that members are told is one after which there is room for many, and a long request that finds no
	// room does not shut out the short ones.
	closing = Patience / 10
)

// admission decides whether there is time for a request. It asks nobody: the load is looked at once a
// second, and what this process has accepted since is added to it.
type admission struct {
	mu   sync.Mutex
	load Load
	// accepted since the last look, and in the interval before it: that may not have been in the queue when
	// the queue was looked at.
	accepted, before time.Duration
	// asking is reserved for requests whose cost billing has not held yet. It closes nothing: many are refused.
	asking time.Duration
	// full and fullForMore say which limits were reached.
	full, fullForMore bool
}

// admit reserves time for that much sound until release, and says how many pieces the member may have at work
// with it: MaxRunning, one, or none. Where it is fewer, wait is after how long it will be more.
func (a *admission) admit(sound time.Duration) (running int, wait time.Duration) {
	a.mu.Lock()
	defer a.mu.Unlock()
	running, wait = a.judge(sound)
	if running > 0 {
		a.asking += sound
	}
	return running, wait
}

func (a *admission) judge(sound time.Duration) (running int, wait time.Duration) {
	if !a.load.Known {
		return MaxRunning, 0
	}
	if a.load.Rate == 0 {
		return 0, noWorkerPause
	}
	accepted := a.load.Sound + a.accepted + a.before
	waiting, needed := a.load.wait(accepted), a.load.wait(accepted+a.asking+sound)
	first, more := forFirst.admits(&a.full, waiting, needed), forMore.admits(&a.fullForMore, waiting, needed)
	switch {
	case !first:
		return 0, forFirst.reopens(needed)
	case !more:
		return 1, forMore.reopens(needed)
	}
	return MaxRunning, 0
}

// admits says whether there is time for what is needed with a request, where that much is waiting without it.
func (l limit) admits(full *bool, waiting, needed time.Duration) bool {
	within := time.Duration(l)
	if *full {
		within -= 2 * closing
	}
	admitted := needed <= within
	*full = !admitted && (*full || waiting > time.Duration(l)-closing)
	return admitted
}

// reopens is after how long there is room for what is needed, and for others.
func (l limit) reopens(needed time.Duration) time.Duration {
	return max(needed-time.Duration(l)+2*closing, time.Second)
}

// release ends the reservation of a request that was accepted, and is counted as such, or refused.
func (a *admission) release(sound time.Duration, accepted bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.asking -= sound
	if accepted {
		a.accepted += sound
	}
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

// Load answers the waiting work and the living workers, as they were at the last reading.
func (s *Service) Load() Load { return s.admission.current() }

// WatchLoad reads the load again and again until ctx ends. When a reading fails, the last load stays in use.
func (s *Service) WatchLoad(ctx context.Context) error {
	due := time.NewTicker(lookEvery)
	defer due.Stop()
	for {
		if err := s.RefreshLoad(ctx); err != nil && ctx.Err() == nil {
			s.Log.WarnContext(ctx, "load cannot be read", "error", err)
		}
		select {
		case <-ctx.Done():
			return nil
		case <-due.C:
		}
	}
}

// RefreshLoad reads the load once.
func (s *Service) RefreshLoad(ctx context.Context) error {
	l, err := s.Store.Load(ctx)
	if err == nil {
		s.admission.look(l)
	}
	return err
}

// Admit reserves time for that much sound, by the rules of a member who has nothing at work, until the caller calls release.
// ErrBusy when the recorders have no time left for it.
func (s *Service) Admit(ctx context.Context, sound time.Duration) (release func(), err error) {
	running, wait := s.admission.admit(sound)
	if running == 0 {
		err = Busy(wait)
		s.Metrics.Refused(ctx, errs.From(err).Word())
		return nil, err
	}
	return func() { s.admission.release(sound, false) }, nil
}

// Waiting says whether there is accepted work that nobody has begun.
func (s *Service) Waiting() bool { return s.Load().Oldest.Unix() > 0 }

// effort is the least time that a second of sound takes in one process, where all recorders work for it.
func (s *Service) effort() time.Duration {
	l := s.Load()
	if l.Rate == 0 || l.Workers == 0 {
		return 0
	}
	return time.Duration(float64(time.Second) * float64(l.Workers) / l.Rate.Seconds())
}
