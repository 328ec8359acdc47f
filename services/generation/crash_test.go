package generation

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"serein.app/services/generation/internal/meditation"
	"serein.app/services/generation/internal/recording"
	"serein.app/services/platform/blob"
)

// errDead is what a process that was killed gets from everything.
var errDead = errors.New("this process is dead")

// crash kills a process at its nth step, before or after the step's effect. From then on
// nothing that the process does has an effect.
type crash struct {
	mu     sync.Mutex
	n      int
	dieAt  int
	before bool
	dead   bool
	steps  []string
	died   chan struct{}
}

func crashAt(dieAt int, before bool) *crash {
	return &crash{dieAt: dieAt, before: before, died: make(chan struct{})}
}

func (m *crash) enter(name string) (last bool, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.dead {
		return false, errDead
	}
	m.n++
	m.steps = append(m.steps, name)
	if m.n == m.dieAt && m.before {
		m.die()
		return false, errDead
	}
	return m.n == m.dieAt, nil
}

func (m *crash) die() {
	m.dead = true
	close(m.died)
}

func (m *crash) step(name string, effect func() error) error {
	last, err := m.enter(name)
	if err != nil {
		return err
	}
	err = effect()
	if last {
		m.mu.Lock()
		defer m.mu.Unlock()
		m.die()
		return errDead
	}
	return err
}

// alive guards the calls that do not count as steps: reads and heartbeats.
func (m *crash) alive() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.dead {
		return errDead
	}
	return nil
}

func (m *crash) wrap(p *meditation.Ports) {
	p.Store = crashingStore{p.Store, m}
	p.Credits = crashingCredits{p.Credits, m}
	p.Blobs = crashingBlobs{p.Blobs, m}
}

type crashingStore struct {
	meditation.Store
	m *crash
}

func (s crashingStore) Begin(ctx context.Context, med meditation.Meditation, limit int) (out meditation.Meditation, err error) {
	err = s.m.step("begin", func() error { out, err = s.Store.Begin(ctx, med, limit); return err })
	return out, err
}

func (s crashingStore) Enqueue(ctx context.Context, med meditation.Meditation, limit int, now time.Time) (out meditation.Meditation, err error) {
	err = s.m.step("enqueue", func() error { out, err = s.Store.Enqueue(ctx, med, limit, now); return err })
	return out, err
}

func (s crashingStore) Discard(ctx context.Context, id uuid.UUID) error {
	return s.m.step("discard", func() error { return s.Store.Discard(ctx, id) })
}

func (s crashingStore) Claim(ctx context.Context, c meditation.Claim) (out meditation.Meditation, ok bool, err error) {
	if err := s.m.alive(); err != nil {
		return out, false, err
	}
	out, ok, err = s.Store.Claim(ctx, c)
	if !ok {
		return out, ok, err
	}
	if err := s.m.step("claim", func() error { return nil }); err != nil {
		return out, false, err
	}
	return out, ok, err
}

// Owned, Beat, Leave and TakeBack are no steps: they come when they come, and the failpoints are counted.
func (s crashingStore) Owned(ctx context.Context, med meditation.Meditation) error {
	return errors.Join(s.m.alive(), s.Store.Owned(ctx, med))
}

func (s crashingStore) Beat(ctx context.Context, w meditation.Worker, first bool) error {
	if err := s.m.alive(); err != nil {
		return err
	}
	return s.Store.Beat(ctx, w, first)
}

func (s crashingStore) Leave(ctx context.Context, id uuid.UUID) error {
	if err := s.m.alive(); err != nil {
		return err
	}
	return s.Store.Leave(ctx, id)
}

func (s crashingStore) TakeBack(ctx context.Context) (int, error) {
	if err := s.m.alive(); err != nil {
		return 0, err
	}
	return s.Store.TakeBack(ctx)
}

func (s crashingStore) GiveBack(ctx context.Context, med meditation.Meditation, wait time.Duration, setbacks int) error {
	return s.m.step("give back", func() error { return s.Store.GiveBack(ctx, med, wait, setbacks) })
}

func (s crashingStore) SaveScript(ctx context.Context, med meditation.Meditation, script recording.Script, segments int, expected time.Duration) (out meditation.Meditation, err error) {
	err = s.m.step("script", func() error { out, err = s.Store.SaveScript(ctx, med, script, segments, expected); return err })
	return out, err
}

func (s crashingStore) AddPassages(ctx context.Context, med meditation.Meditation, said int, added []recording.Passage) error {
	return s.m.step("passages", func() error { return s.Store.AddPassages(ctx, med, said, added) })
}

func (s crashingStore) AskRest(ctx context.Context, med meditation.Meditation) error {
	return s.m.step("ask", func() error { return s.Store.AskRest(ctx, med) })
}

func (s crashingStore) CloseScript(ctx context.Context, med meditation.Meditation, words, segments int) error {
	return s.m.step("close", func() error { return s.Store.CloseScript(ctx, med, words, segments) })
}

func (s crashingStore) AddSegment(ctx context.Context, med meditation.Meditation, seg recording.Segment, expected time.Duration) error {
	return s.m.step("segment", func() error { return s.Store.AddSegment(ctx, med, seg, expected) })
}

func (s crashingStore) StartFinishing(ctx context.Context, med meditation.Meditation) (out meditation.Meditation, err error) {
	err = s.m.step("finishing", func() error { out, err = s.Store.StartFinishing(ctx, med); return err })
	return out, err
}

func (s crashingStore) Complete(ctx context.Context, med meditation.Meditation, now time.Time) error {
	return s.m.step("complete", func() error { return s.Store.Complete(ctx, med, now) })
}

func (s crashingStore) Fail(ctx context.Context, med meditation.Meditation, reason string, reconciled bool, now time.Time) (out meditation.Meditation, err error) {
	err = s.m.step("fail", func() error { out, err = s.Store.Fail(ctx, med, reason, reconciled, now); return err })
	return out, err
}

func (s crashingStore) Cancel(ctx context.Context, uid, id uuid.UUID, since, now, deadline time.Time, judge func(meditation.Meditation, int) (bool, error)) (out meditation.Meditation, err error) {
	err = s.m.step("cancel", func() error { out, err = s.Store.Cancel(ctx, uid, id, since, now, deadline, judge); return err })
	return out, err
}

func (s crashingStore) Refund(ctx context.Context, med meditation.Meditation, reason string, now time.Time) (out meditation.Meditation, err error) {
	err = s.m.step("lose", func() error { out, err = s.Store.Refund(ctx, med, reason, now); return err })
	return out, err
}

func (s crashingStore) Reconcile(ctx context.Context, med meditation.Meditation) error {
	return s.m.step("reconcile", func() error { return s.Store.Reconcile(ctx, med) })
}

func (s crashingStore) MarkDeleted(ctx context.Context, uid, id uuid.UUID, deletesAt time.Time, judge func(meditation.Meditation) error) (out meditation.Meditation, err error) {
	err = s.m.step("mark", func() error { out, err = s.Store.MarkDeleted(ctx, uid, id, deletesAt, judge); return err })
	return out, err
}

func (s crashingStore) Purge(ctx context.Context, now time.Time) (n int, err error) {
	err = s.m.step("purge", func() error { n, err = s.Store.Purge(ctx, now); return err })
	return n, err
}

func (s crashingStore) Tidied(ctx context.Context, med meditation.Meditation) error {
	return s.m.step("tidied", func() error { return s.Store.Tidied(ctx, med) })
}

func (s crashingStore) PostponeTidying(ctx context.Context, id uuid.UUID, wait time.Duration) error {
	if err := s.m.alive(); err != nil {
		return err
	}
	return s.Store.PostponeTidying(ctx, id, wait)
}

type crashingCredits struct {
	meditation.Credits
	m *crash
}

func (c crashingCredits) Hold(ctx context.Context, med meditation.Meditation) (held meditation.Hold, err error) {
	err = c.m.step("hold", func() error { held, err = c.Credits.Hold(ctx, med); return err })
	return held, err
}

func (c crashingCredits) Capture(ctx context.Context, uid, holdID uuid.UUID) error {
	return c.m.step("capture", func() error { return c.Credits.Capture(ctx, uid, holdID) })
}

func (c crashingCredits) Release(ctx context.Context, uid, holdID uuid.UUID) error {
	return c.m.step("release", func() error { return c.Credits.Release(ctx, uid, holdID) })
}

func (c crashingCredits) Refund(ctx context.Context, uid, holdID uuid.UUID) error {
	return c.m.step("refund", func() error { return c.Credits.Refund(ctx, uid, holdID) })
}

type crashingBlobs struct {
	blob.Store
	m *crash
}

func (b crashingBlobs) Put(ctx context.Context, key string, r io.Reader, size int64) error {
	return b.m.step("put", func() error { return b.Store.Put(ctx, key, r, size) })
}

func (b crashingBlobs) DeleteFolder(ctx context.Context, folder string) error {
	return b.m.step("delete files", func() error { return b.Store.DeleteFolder(ctx, folder) })
}

// run makes one meditation in a process that may crash on the way, and gives the steps until it had ended: a process
// that is stopped a moment after its last one gives back what it holds no more.
func (h *harness) run(m *crash, uid uuid.UUID, r meditation.Request) []string {
	p := h.start(1, time.Minute, m.wrap)
	made, err := p.Create(context.Background(), uid, r)
	if err == nil {
		require.Eventually(h.t, func() bool {
			now, _, gerr := p.Get(context.Background(), uid, made.ID)
			return m.alive() != nil || gerr == nil && now.State.Ended() && now.Reconciled
		}, waitFor, 2*time.Millisecond)
	}
	m.mu.Lock()
	steps := slices.Clone(m.steps)
	m.mu.Unlock()
	p.stop()
	return steps
}

// TestWhereverItDiesNothingIsLostOrChargedTwice kills the process before and after every write
// to the store, to billing and to the files, once each, and starts another one.
func TestWhereverItDiesNothingIsLostOrChargedTwice(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	steps := h.run(crashAt(0, false), h.member(8), request())
	require.Equal(t, []string{
		"begin", "hold", "enqueue", "claim", "script", "put", "segment", "put", "segment", "put", "segment", "put", "segment",
		"finishing", "put", "capture", "complete",
	}, steps, "the failpoints")

	for n, name := range steps {
		for _, before := range []bool{true, false} {
			if name == "claim" && before {
				continue // dying before a claim is not claiming
			}
			when := map[bool]string{true: "before", false: "after"}[before]
			t.Run(fmt.Sprintf("%s %02d %s", when, n+1, name), func(t *testing.T) {
				t.Parallel()
				dieAndGoOn(t, n+1, before)
			})
		}
	}
}

func dieAndGoOn(t *testing.T, dieAt int, before bool) {
	t.Helper()
	h := newHarness(t)
	uid := h.member(8)
	r := request()
	m := crashAt(dieAt, before)
	h.run(m, uid, r)
	require.Error(t, m.alive(), "it died")
	kept := h.count(`SELECT count(*) FROM segments`)

	h.lapse()
	p := h.start(1, time.Minute)
	page, _, total, err := p.List(t.Context(), uid, meditation.Active, 0, "")
	require.NoError(t, err)
	if total == 0 {
		h.nothingIsLeft(p, uid)
		return
	}
	id := page[0].ID
	again, err := p.Create(t.Context(), uid, r)
	require.NoError(t, err, "the same request is sent again")
	require.Equal(t, id, again.ID)
	require.Equal(t, meditation.Ready, h.ended(p, uid, id).State)
	require.NoError(t, p.Sweep(t.Context()))

	require.Equal(t, map[string]int{"captured": 1}, h.billing.holds())
	require.Equal(t, int64(6), h.billing.available(uid))
	require.Equal(t, int64(1), h.billing.captures)
	require.Equal(t, wholeSound(id.String()), h.audio(p, uid, id))
	require.Equal(t, map[string]int{"requested": 1, "progressed": 3, "completed": 1}, h.events())
	if from := h.recorder.began(id.String()); len(from) == 2 {
		require.Equal(t, kept, from[1], "what is kept is not narrated again")
	}
	keys, err := h.blobs.List(t.Context(), "meditations/")
	require.NoError(t, err)
	require.Equal(t, []string{"meditations/" + id.String() + "/audio.mp3"}, keys, "single segments are tidied away")
}

// nothingIsLeft is right when the process died before the work was queued, and so before the
// member heard that it began.
func (h *harness) nothingIsLeft(p *process, uid uuid.UUID) {
	h.t.Helper()
	h.pass(meditation.HoldingTime + time.Second)
	require.NoError(h.t, p.Sweep(h.t.Context()))
	require.Zero(h.t, h.count(`SELECT count(*) FROM meditations`))
	require.Zero(h.t, h.billing.holds()["open"])
	require.Zero(h.t, h.billing.holds()["captured"])
	require.Equal(h.t, int64(8), h.billing.available(uid))
	require.Empty(h.t, h.events())
}

// TestWhereverACancellationDiesTheHoldIsReleasedOnce does the same to cancelling.
func TestWhereverACancellationDiesTheHoldIsReleasedOnce(t *testing.T) {
	t.Parallel()
	for n, name := range []string{"cancel", "release", "reconcile"} {
		for _, before := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s %v", name, before), func(t *testing.T) {
				t.Parallel()
				h := newHarness(t)
				uid := h.member(2)
				started, err := h.start(0, time.Minute).Create(t.Context(), uid, request())
				require.NoError(t, err)
				m := crashAt(n+1, before)
				_, _ = h.start(0, time.Minute, m.wrap).Cancel(t.Context(), uid, started.ID, 0)
				require.Error(t, m.alive(), "it died")

				p := h.start(0, time.Minute)
				_, err = p.Cancel(t.Context(), uid, started.ID, 0)
				require.NoError(t, err, "the member cancels again")
				require.NoError(t, p.Sweep(t.Context()))
				require.Equal(t, meditation.Cancelled, h.ended(p, uid, started.ID).State)
				require.Equal(t, map[string]int{"released": 1}, h.billing.holds())
				require.Equal(t, int64(2), h.billing.available(uid))
				require.Equal(t, map[string]int{"requested": 1, "progressed": 1, "failed": 1}, h.events())
			})
		}
	}
}
