package generation

import (
	"context"
	"errors"
	"math"
	"os"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"serein.app/services/generation/internal/meditation"
	"serein.app/services/generation/internal/narration"
	"serein.app/services/sound/mp3"
	"serein.app/services/testkit"
)

// gate holds the recorder back at one segment until it is opened, and says when it got there.
type gate struct {
	at      int
	arrived chan string
	open    chan struct{}
}

func newGate(at int) *gate {
	return &gate{at: at, arrived: make(chan string, 100), open: make(chan struct{})}
}

func (g *gate) before(ctx context.Context, id string, index int) error {
	if index != g.at {
		return nil
	}
	g.arrived <- id
	select {
	case <-g.open:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (h *harness) create(p *process, uid uuid.UUID) meditation.Meditation {
	h.t.Helper()
	m, err := p.Create(h.t.Context(), uid, request())
	require.NoError(h.t, err)
	return m
}

func TestAStoppedProcessGivesItsWorkBackAndTheNextGoesOnAtOnce(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	g := newGate(2)
	h.recorder.hook(g.before)
	uid := h.member(8)
	first := h.start(1, time.Hour)
	m := h.create(first, uid)
	<-g.arrived
	first.stop()
	require.Equal(t, 1, h.count(`SELECT count(*) FROM meditations WHERE state = 'narrating' AND worker_id IS NULL AND tries = 0 AND crashes = 0`))

	h.recorder.hook(nil)
	second := h.start(1, time.Hour)
	require.Equal(t, meditation.Ready, h.ended(second, uid, m.ID).State)
	require.Equal(t, []int{0, 2}, h.recorder.began(m.ID.String()))
	require.Equal(t, wholeSound(m.ID.String()), h.audio(second, uid, m.ID))
	require.Equal(t, map[string]int{"captured": 1}, h.billing.holds())
}

func TestAWorkerThatLostItsLeaseWritesNothing(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	g := newGate(1)
	h.recorder.hook(g.before)
	uid := h.member(8)
	// No heartbeat tells the old worker.
	old := h.start(1, time.Hour, func(p *meditation.Ports) { p.Store = silentStore{p.Store} })
	m := h.create(old, uid)
	<-g.arrived
	h.lapse()
	h.recorder.hook(nil)
	next := h.start(1, time.Hour)
	require.Equal(t, meditation.Ready, h.ended(next, uid, m.ID).State)
	close(g.open)
	old.stop()
	require.Equal(t, []int{0, 1}, h.recorder.began(m.ID.String()), "one began, the other went on")
	require.Equal(t, passages, h.count(`SELECT count(*) FROM segments`))
	require.Equal(t, wholeSound(m.ID.String()), h.audio(next, uid, m.ID))
	require.Equal(t, map[string]int{"captured": 1}, h.billing.holds())
	require.NoError(t, next.Sweep(t.Context()))
	keys, err := h.blobs.List(t.Context(), "meditations/")
	require.NoError(t, err)
	require.Len(t, keys, 1, "what the old worker made is gone")
}

func TestALapsedLeaseIsTakenOverWithoutAnybodysHelp(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	g := newGate(1)
	h.recorder.hook(g.before)
	uid := h.member(8)
	silent := h.start(1, time.Second, func(p *meditation.Ports) { p.Store = silentStore{p.Store} })
	m := h.create(silent, uid)
	<-g.arrived
	h.recorder.hook(nil)
	next := h.start(1, time.Second)
	require.Equal(t, meditation.Ready, h.ended(next, uid, m.ID).State)
	require.Equal(t, []int{0, 1}, h.recorder.began(m.ID.String()))
}

// silentStore is that of a process that hangs: after its first no heartbeat leaves it, and it hears nothing.
type silentStore struct{ meditation.Store }

func (silentStore) Owned(context.Context, meditation.Meditation) error { return nil }

func (s silentStore) Beat(ctx context.Context, w meditation.Worker, first bool) error {
	if !first {
		return nil
	}
	return s.Store.Beat(ctx, w, first)
}

func (silentStore) TakeBack(context.Context) (int, error) { return 0, nil }

// panickingSynthesiser hums, and panics on the words of one meditation.
type panickingSynthesiser struct {
	mu  sync.Mutex
	bad string
}

func (*panickingSynthesiser) HasVoice(string) bool { return true }

func (s *panickingSynthesiser) Speak(_ context.Context, u narration.Utterance) (narration.Speech, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if u.Text == s.bad {
		panic("no address space")
	}
	samples := make([]float32, 16000)
	for i := range samples {
		samples[i] = float32(0.2 * math.Sin(float64(i)/10))
	}
	return narration.Speech{Samples: samples, Rate: 16000}, nil
}

// The recorder starts goroutines, and an uncaught panic in one of them ends the process.
func TestPanicInTheRecorderIsASetbackOfThatMeditationOnly(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	code, err := os.ReadFile(testkit.Part(t, "mp3.wasm"))
	require.NoError(t, err)
	codec, err := mp3.Open(t.Context(), code, "")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, codec.Close(context.WithoutCancel(t.Context()))) })
	synthesiser := &panickingSynthesiser{}
	p := h.start(0, time.Minute)
	unlucky, lucky := h.member(2), h.member(2)
	bad, good := h.create(p, unlucky), h.create(p, lucky)
	synthesiser.bad = bad.ID.String() // the fake writer's first sentence
	h.exec(`UPDATE meditations SET tries = $2 WHERE id = $1`, bad.ID, meditation.MaxTries-1)

	recorder, err := narration.New(narration.Synthesisers{"flite": synthesiser}, codec, 2)
	require.NoError(t, err)
	h.start(2, time.Minute, func(ports *meditation.Ports) { ports.Recorder = recorder })
	require.Equal(t, meditation.Ready, h.ended(p, lucky, good.ID).State)
	failed := h.ended(p, unlucky, bad.ID)
	require.Equal(t, meditation.Failed, failed.State)
	require.Equal(t, map[string]int{"captured": 1, "released": 1}, h.billing.holds())
}

// unreliableStore panics where the ownership is looked at or work is given back, the first few times.
type unreliableStore struct {
	meditation.Store
	panics *atomic.Int32
}

func (s unreliableStore) GiveBack(ctx context.Context, m meditation.Meditation, wait time.Duration, setbacks int) error {
	if s.panics.Add(-1) >= 0 {
		panic("no answer")
	}
	return s.Store.GiveBack(ctx, m, wait, setbacks)
}

func (s unreliableStore) Owned(ctx context.Context, m meditation.Meditation) error {
	if s.panics.Add(-1) >= 0 {
		panic("no answer")
	}
	return s.Store.Owned(ctx, m)
}

// The first panic is in the look at the ownership, the second where the work is then given back.
func TestAPanicOfTheStoreIsASetbackOfTheWorkAlone(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	panics := &atomic.Int32{}
	panics.Store(2)
	p := h.start(1, time.Second, func(ports *meditation.Ports) { ports.Store = unreliableStore{ports.Store, panics} })
	uid := h.member(8)
	m := h.create(p, uid)
	require.Equal(t, meditation.Ready, h.ended(p, uid, m.ID).State)
	require.Negative(t, panics.Load())
	require.Equal(t, map[string]int{"captured": 1}, h.billing.holds())
}

func TestAHeartbeatKeepsTheWork(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	g := newGate(1)
	h.recorder.hook(g.before)
	uid := h.member(8)
	const lease = 30 * time.Second // a process that stands still for 20 keeps its work
	p := h.start(1, lease)
	m := h.create(p, uid)
	<-g.arrived
	h.start(1, lease)
	leased := func() int { return h.count(`SELECT max(extract(epoch FROM lease_until) * 1000)::bigint FROM workers`) }
	first := leased()
	require.Eventually(t, func() bool { return leased() > first+2000 }, waitFor, 20*time.Millisecond)
	close(g.open)
	h.ended(p, uid, m.ID)
	require.Equal(t, []int{0}, h.recorder.began(m.ID.String()), "nobody else took it")
}

func TestCancellingStopsTheWorkerPromptlyAlsoOnAnotherReplica(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	stopped := make(chan error, 1)
	g := newGate(1)
	h.recorder.hook(func(ctx context.Context, id string, index int) error {
		err := g.before(ctx, id, index)
		if index == g.at {
			stopped <- err
		}
		return err
	})
	uid := h.member(8)
	working := h.start(1, time.Hour)
	m := h.create(working, uid)
	<-g.arrived
	other := h.start(0, time.Hour)
	cancelled, err := other.Cancel(t.Context(), uid, m.ID, 0)
	require.NoError(t, err)
	require.Equal(t, meditation.Cancelled, cancelled.State)
	require.Equal(t, int64(8), h.billing.available(uid), "the hold is released before the answer")
	require.ErrorIs(t, <-stopped, context.Canceled)

	working.stop()
	require.NoError(t, other.Sweep(t.Context()))
	_, _, total, err := other.List(t.Context(), uid, meditation.Active, 0, "")
	require.NoError(t, err)
	require.Zero(t, total, "My Journey does not show what the member stopped")
	found, segments, err := other.Get(t.Context(), uid, m.ID)
	require.NoError(t, err)
	require.Equal(t, meditation.Cancelled, found.State)
	require.Empty(t, segments)
	keys, err := h.blobs.List(t.Context(), "meditations/")
	require.NoError(t, err)
	require.Empty(t, keys)
	require.Equal(t, map[string]int{"requested": 1, "progressed": 3, "failed": 1}, h.events(), "each change that the member sees is published when it is made")
}

func TestAFinishedMeditationStaysWhenItIsCancelled(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	uid := h.member(8)
	p := h.start(1, time.Minute)
	m := h.create(p, uid)
	h.ended(p, uid, m.ID)
	after, err := p.Cancel(t.Context(), uid, m.ID, 0)
	require.NoError(t, err)
	require.Equal(t, meditation.Ready, after.State)
	require.Equal(t, map[string]int{"captured": 1}, h.billing.holds())
}

func TestBillingAwayDuringCancelReleasesLater(t *testing.T) {
	t.Parallel()
	for name, outage := range map[string]func(*fakeBilling){
		"refused before":     func(b *fakeBilling) { b.fail(away("release"), nil) },
		"its answer is lost": func(b *fakeBilling) { b.fail(nil, away("release")) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHarness(t)
			uid := h.member(2)
			p := h.start(0, time.Minute)
			m := h.create(p, uid)
			outage(h.billing)
			_, err := p.Cancel(t.Context(), uid, m.ID, 0)
			require.NoError(t, err)
			require.Error(t, p.Sweep(t.Context()))
			h.billing.fail(nil, nil)
			h.exec(`UPDATE meditations SET next_try_at = now()`)
			require.NoError(t, p.Sweep(t.Context()))
			require.True(t, h.ended(p, uid, m.ID).Reconciled)
			require.Equal(t, map[string]int{"released": 1}, h.billing.holds())
			require.Equal(t, int64(2), h.billing.available(uid))
			require.Equal(t, map[string]int{"requested": 1, "progressed": 1, "failed": 1}, h.events())
		})
	}
}

func TestBillingAwayDuringCaptureDelaysTheEnd(t *testing.T) {
	t.Parallel()
	for name, outage := range map[string]func(*fakeBilling){
		"refused before":     func(b *fakeBilling) { b.fail(away("capture"), nil) },
		"its answer is lost": func(b *fakeBilling) { b.fail(nil, away("capture")) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHarness(t)
			uid := h.member(2)
			p := h.start(1, time.Minute)
			outage(h.billing)
			m := h.create(p, uid)
			require.Eventually(t, func() bool { return h.billing.calls("capture") >= 2 }, waitFor, 5*time.Millisecond)
			h.reaches(p, uid, m.ID, meditation.Finishing)
			cancelled, err := p.Cancel(t.Context(), uid, m.ID, 0)
			require.NoError(t, err)
			require.Equal(t, meditation.Finishing, cancelled.State, "the money may be on its way")
			h.billing.fail(nil, nil)
			require.Equal(t, meditation.Ready, h.ended(p, uid, m.ID).State)
			require.Equal(t, map[string]int{"captured": 1}, h.billing.holds())
			require.Equal(t, []int{0}, h.recorder.began(m.ID.String()))
		})
	}
}

func TestAfterTheDeadlineBillingDecides(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		outage func(*fakeBilling)
		want   meditation.State
		holds  map[string]int
	}{
		"never captured: failed and released":         {func(b *fakeBilling) { b.fail(away("capture"), nil) }, meditation.Failed, map[string]int{"released": 1}},
		"captured, answer lost: the member's to keep": {func(b *fakeBilling) { b.fail(nil, away("capture")) }, meditation.Ready, map[string]int{"captured": 1}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHarness(t)
			uid := h.member(2)
			p := h.start(1, time.Minute)
			c.outage(h.billing)
			m := h.create(p, uid)
			require.Eventually(t, func() bool { return h.billing.calls("capture") >= 1 }, waitFor, 5*time.Millisecond)
			h.pass(meditation.Patience + time.Second)
			require.NoError(t, p.Sweep(t.Context()))
			require.Equal(t, c.want, h.ended(p, uid, m.ID).State)
			require.Equal(t, c.holds, h.billing.holds())
		})
	}
}

func TestAHoldThatEndedByItselfFailsTheWork(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	uid := h.member(2)
	p := h.start(1, time.Minute)
	h.billing.fail(away("capture"), nil)
	m := h.create(p, uid)
	require.Eventually(t, func() bool { return h.billing.calls("capture") >= 1 }, waitFor, 5*time.Millisecond)
	h.billing.expire()
	h.billing.fail(nil, nil)
	failed := h.ended(p, uid, m.ID)
	require.Equal(t, meditation.Failed, failed.State)
	require.Equal(t, meditation.ReasonHoldEnded, failed.FailureReason)
	require.Equal(t, map[string]int{"expired": 1}, h.billing.holds())
	require.Equal(t, 1, h.events()["failed"])
	require.Zero(t, h.events()["completed"])
}

func TestWorkThatTakesTooLongFailsAndIsReleased(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	uid := h.member(2)
	g := newGate(1)
	h.recorder.hook(g.before)
	p := h.start(1, time.Hour)
	m := h.create(p, uid)
	<-g.arrived
	h.pass(meditation.Patience)
	require.NoError(t, p.Sweep(t.Context()))
	failed := h.ended(p, uid, m.ID)
	require.Equal(t, meditation.Failed, failed.State)
	require.Equal(t, meditation.ReasonTimedOut, failed.FailureReason)
	require.Equal(t, map[string]int{"released": 1}, h.billing.holds())
}

func TestARecorderThatRecoversLosesNothing(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	uid := h.member(2)
	var mu sync.Mutex
	failures := 0
	h.recorder.hook(func(_ context.Context, _ string, index int) error {
		mu.Lock()
		defer mu.Unlock()
		if failures++; index == 2 && failures < 5 {
			return errors.New("a cough")
		}
		return nil
	})
	p := h.start(1, time.Minute)
	m := h.create(p, uid)
	require.Equal(t, meditation.Ready, h.ended(p, uid, m.ID).State)
	for i, from := range h.recorder.began(m.ID.String()) {
		require.Equal(t, min(i*2, 2), from)
	}
}

func TestARecorderThatNeverRecoversFailsTheWork(t *testing.T) {
	t.Parallel()
	for name, fault := range map[string]func() error{
		"with errors": func() error { return errors.New("no voice") },
		"with panics": func() error { panic("no voice") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHarness(t)
			uid := h.member(2)
			h.recorder.hook(func(context.Context, string, int) error {
				h.exec(`UPDATE meditations SET tries = 4`) // as if this had gone on for a while
				return fault()
			})
			p := h.start(1, time.Minute)
			m := h.create(p, uid)
			failed := h.ended(p, uid, m.ID)
			require.Equal(t, meditation.Failed, failed.State)
			require.Equal(t, meditation.ReasonNarration, failed.FailureReason)
			require.Equal(t, int64(2), h.billing.available(uid))
			require.NoError(t, p.Sweep(t.Context()))

			t.Log("My Journey shows it for a day")
			_, _, total, err := p.List(t.Context(), uid, meditation.Active, 0, "")
			require.NoError(t, err)
			require.Equal(t, 1, total)
			counted, _, err := p.Count(t.Context(), uid)
			require.NoError(t, err)
			require.Zero(t, counted, "there is nothing to hear")
			h.pass(meditation.FailedShownFor + time.Second)
			_, _, total, err = p.List(t.Context(), uid, meditation.Active, 0, "")
			require.NoError(t, err)
			require.Zero(t, total)
		})
	}
}

func TestNoMoreMeditationsAreMadeAtOnceThanThereAreSlots(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	g := newGate(0)
	h.recorder.hook(g.before)
	p := h.start(2, time.Minute)
	made := map[uuid.UUID]uuid.UUID{}
	for range 5 {
		uid := h.member(2)
		made[h.create(p, uid).ID] = uid
	}
	<-g.arrived
	<-g.arrived
	require.Equal(t, 3, h.count(`SELECT count(*) FROM meditations WHERE state = 'queued'`))
	require.Empty(t, g.arrived)
	close(g.open)
	for id, uid := range made {
		h.ended(p, uid, id)
	}
}

func TestOneMembersWorkDoesNotCrowdOthersOut(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	p := h.start(0, time.Minute)
	busy, quiet := h.member(8), h.member(8)
	for range meditation.MaxRunning {
		h.create(p, busy)
	}
	later := h.create(p, quiet)
	g := newGate(0)
	h.recorder.hook(g.before)
	h.start(2, time.Minute)
	first, second := <-g.arrived, <-g.arrived
	require.Contains(t, []string{first, second}, later.ID.String(), "the member with nothing in hand comes before a second one of another's")
	close(g.open)
}
