package generation

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"serein.app/services/generation/internal/meditation"
	"serein.app/services/generation/internal/recording"
	"serein.app/services/platform/errs"
)

// fleet replaces each process that dies with a new one, as an orchestrator does.
type fleet struct {
	*harness
	mu     sync.Mutex
	crash  *crash
	deaths int
	// together lists, for each death, what the process had in hand.
	together []int
}

// kill ends the process that runs now, from one moment to the next.
func (f *fleet) kill() {
	f.mu.Lock()
	crash := f.crash
	f.mu.Unlock()
	crash.mu.Lock()
	defer crash.mu.Unlock()
	if !crash.dead {
		crash.die()
	}
}

// run keeps a process of that many slots running until done says so. A successor knows that its predecessor is
// dead, since it has its place.
func (f *fleet) run(slots int, done func() bool) {
	f.t.Helper()
	for !done() {
		m := crashAt(0, false)
		f.mu.Lock()
		f.crash = m
		f.mu.Unlock()
		p := f.start(slots, time.Minute, m.wrap)
		require.Eventually(f.t, func() bool { return m.alive() != nil || done() }, waitFor, 2*time.Millisecond)
		if m.alive() != nil {
			f.deaths++
			f.together = append(f.together, f.count(`SELECT count(*) FROM meditations WHERE worker_id IS NOT NULL AND state IN ('writing', 'narrating')`))
		}
		p.stop()
		f.lapse()
	}
}

func (f *fleet) allEnded() bool {
	return f.count(`SELECT count(*) FROM meditations WHERE state IN ('queued', 'writing', 'narrating', 'finishing')`) == 0
}

// A recorder that ends its process on one meditation is stopped after a few deaths, and what shared a process with
// it is made.
func TestWorkThatKillsItsProcessIsStoppedAndNothingElseSuffers(t *testing.T) {
	t.Parallel()
	f := &fleet{harness: newHarness(t)}
	p := f.start(0, time.Minute)
	made := map[uuid.UUID]uuid.UUID{}
	for range 3 {
		uid := f.member(2)
		made[f.create(p, uid).ID] = uid
	}
	unlucky := f.member(2)
	poison := f.create(p, unlucky)
	f.recorder.hook(func(ctx context.Context, id string, _ int) error {
		if id == poison.ID.String() {
			f.kill()
			return errDead
		}
		return nil
	})
	f.run(4, f.allEnded)

	failed := f.ended(p, unlucky, poison.ID)
	require.Equal(t, meditation.Failed, failed.State)
	require.Equal(t, meditation.ReasonNarration, failed.FailureReason)
	require.Equal(t, int64(2), f.billing.available(unlucky))
	require.Equal(t, meditation.MaxCrashes, f.deaths, "and then no more")
	for _, held := range f.together[meditation.SuspectAfter:] {
		require.Equal(t, 1, held, "what is suspect is made alone: %v", f.together)
	}
	for id, uid := range made {
		require.Equal(t, meditation.Ready, f.ended(p, uid, id).State)
	}
	require.Equal(t, map[string]int{"captured": 3, "released": 1}, f.billing.holds())
}

// Processes die from outside, again and again, whatever they have in hand: all of it is finished.
func TestWorkIsNotBlamedForTheDeathOfItsProcess(t *testing.T) {
	t.Parallel()
	f := &fleet{harness: newHarness(t)}
	p := f.start(0, time.Minute)
	made := map[uuid.UUID]uuid.UUID{}
	for range 8 {
		uid := f.member(2)
		made[f.create(p, uid).ID] = uid
	}
	var mu sync.Mutex
	// No process dies twice at the same segment: work that is at hand each time one dies is rightly blamed.
	segments, died := 0, map[string]bool{}
	f.recorder.hook(func(_ context.Context, id string, index int) error {
		mu.Lock()
		defer mu.Unlock()
		segment := fmt.Sprint(id, " ", index)
		if segments++; segments >= 3 && !died[segment] {
			segments, died[segment] = 0, true
			f.kill()
			return errDead
		}
		return nil
	})
	f.run(8, f.allEnded)
	require.Greater(t, f.deaths, 2*meditation.MaxCrashes)
	for id, uid := range made {
		require.Equal(t, meditation.Ready, f.ended(p, uid, id).State)
		require.Equal(t, wholeSound(id.String()), f.audio(p, uid, id))
	}
	require.Equal(t, map[string]int{"captured": 8}, f.billing.holds())
}

// A worker that only could not be heard, because the database was away from it, was no death.
func TestASilentWorkerThatIsHeardOfAgainTakesTheBlameBack(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	p := h.start(0, time.Minute)
	m := h.create(p, h.member(2))
	worker := meditation.Worker{ID: uuid.New(), Recorders: 1, Lease: time.Minute}
	require.NoError(t, p.Store.Beat(t.Context(), worker, true))
	_, ok, err := p.Store.Claim(t.Context(), meditation.Claim{Worker: worker.ID, Now: h.clock()})
	require.NoError(t, err)
	require.True(t, ok)
	h.lapse()
	n, err := p.Store.TakeBack(t.Context())
	require.NoError(t, err)
	require.Equal(t, 1, n)
	require.Equal(t, 1, h.count(`SELECT crashes FROM meditations WHERE id = $1`, m.ID))
	require.NoError(t, p.Store.Beat(t.Context(), worker, false))
	require.Zero(t, h.count(`SELECT crashes FROM meditations WHERE id = $1`, m.ID))
}

// Where a process starts, the one before it is dead: nobody waits for its lease.
func TestASuccessorTakesTheWorkOverAtOnce(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	p := h.start(0, time.Minute)
	m := h.create(p, h.member(2))
	dead := meditation.Worker{ID: uuid.New(), Name: "host 127.0.0.1:8080", Recorders: 1, Lease: time.Hour}
	elsewhere := meditation.Worker{ID: uuid.New(), Name: "host 127.0.0.1:8081", Recorders: 1, Lease: time.Hour}
	next := meditation.Worker{ID: uuid.New(), Name: dead.Name, Recorders: 1, Lease: time.Hour}
	require.NoError(t, p.Store.Beat(t.Context(), dead, true))
	_, ok, err := p.Store.Claim(t.Context(), meditation.Claim{Worker: dead.ID, Now: h.clock()})
	require.NoError(t, err)
	require.True(t, ok)
	require.NoError(t, p.Store.Beat(t.Context(), elsewhere, true))
	n, err := p.Store.TakeBack(t.Context())
	require.NoError(t, err)
	require.Zero(t, n)
	require.NoError(t, p.Store.Beat(t.Context(), next, true))
	n, err = p.Store.TakeBack(t.Context())
	require.NoError(t, err)
	require.Equal(t, 1, n)
	again, ok, err := p.Store.Claim(t.Context(), meditation.Claim{Worker: next.ID, Alone: true, Now: h.clock()})
	require.NoError(t, err)
	require.True(t, ok)
	require.Equal(t, m.ID, again.ID)
}

// A database, a store or a billing service that is away for long is no fault of what waits for it.
func TestAPartThatIsAwayCountsAsNoSetback(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	idle := h.start(0, time.Minute)
	uid := h.member(2)
	m := h.create(idle, uid)
	h.exec(`UPDATE meditations SET tries = $1`, meditation.MaxTries-1)
	p := h.start(1, time.Minute, func(ports *meditation.Ports) { ports.Store = &awayStore{Store: ports.Store, times: 1} })
	require.Equal(t, meditation.Ready, h.ended(p, uid, m.ID).State, "one setback more would have failed it")
}

// awayStore cannot store scripts, the first few times.
type awayStore struct {
	meditation.Store
	mu    sync.Mutex
	times int
}

func (s *awayStore) SaveScript(ctx context.Context, m meditation.Meditation, script recording.Script, segments int, expected time.Duration) (meditation.Meditation, error) {
	if s.away() {
		return m, errs.ErrUnavailable
	}
	return s.Store.SaveScript(ctx, m, script, segments, expected)
}

func (s *awayStore) away() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.times--
	return s.times >= 0
}
