package generation

import (
	"context"
	"fmt"
	"io"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"

	eventsv1 "serein.app/proto/gen/serein/events/v1"
	"serein.app/services/generation/internal/meditation"
	"serein.app/services/platform/blob"
)

// deliver makes a meditation of which that many of its four segments are delivered. The fake recorder's first
// is 5 s of an expected 23, less than a quarter; with the second it is more.
func (h *harness) deliver(p *process, g *gate, uid uuid.UUID) meditation.Meditation {
	h.t.Helper()
	m := h.create(p, uid)
	<-g.arrived
	m, segments, err := p.Get(h.t.Context(), uid, m.ID)
	require.NoError(h.t, err)
	require.Len(h.t, segments, g.at)
	return m
}

func (h *harness) terms(p *process, m meditation.Meditation) meditation.CancelTerms {
	h.t.Helper()
	terms, err := p.CancelTerms(h.t.Context(), m)
	require.NoError(h.t, err)
	require.NotNil(h.t, terms)
	return *terms
}

// nothingToHear is what is left of a meditation that cost nothing.
func (h *harness) nothingToHear(p *process, uid, id uuid.UUID) {
	h.t.Helper()
	for i := range passages {
		_, err := p.ReadSegment(h.t.Context(), uid, id, i)
		require.ErrorIs(h.t, err, meditation.ErrNotFound)
	}
	_, _, err := p.OpenAudio(h.t.Context(), uid, id)
	require.ErrorIs(h.t, err, meditation.ErrNotFound)
	m, segments, err := p.Get(h.t.Context(), uid, id)
	require.NoError(h.t, err)
	require.Empty(h.t, segments)
	require.Zero(h.t, m.ReadyFor)
	scripts, err := p.Scripts(h.t.Context(), m)
	require.NoError(h.t, err)
	require.Empty(h.t, scripts[0].Passages, "its words are gone as well")
}

func TestCancellingBeforeAQuarterIsDeliveredCostsNothingAndLeavesNothing(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	g := newGate(1)
	h.recorder.hook(g.before)
	uid := h.member(8)
	p := h.start(1, time.Hour)
	m := h.deliver(p, g, uid)
	require.Equal(t, meditation.CancelTerms{FreeLeft: 3}, h.terms(p, m))

	_, err := p.Cancel(t.Context(), uid, m.ID, m.Cost)
	require.ErrorIs(t, err, meditation.ErrCancelTerms, "who would pay for it keeps it: that is something else")
	cancelled, err := p.Cancel(t.Context(), uid, m.ID, 0)
	require.NoError(t, err)
	require.Equal(t, meditation.Cancelled, cancelled.State)
	require.Equal(t, int64(8), h.billing.available(uid))
	h.nothingToHear(p, uid, m.ID)
	keys, err := h.blobs.List(t.Context(), "meditations/")
	require.NoError(t, err)
	require.Empty(t, keys, "without waiting for the sweep")

	again, err := p.Cancel(t.Context(), uid, m.ID, 0)
	require.NoError(t, err)
	require.Equal(t, meditation.Cancelled, again.State)
	require.Equal(t, map[string]int{"released": 1}, h.billing.holds())
}

func TestAfterAQuarterThePriceIsDueAndWhatWasNarratedStays(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	g := newGate(2)
	h.recorder.hook(g.before)
	uid := h.member(8)
	p := h.start(1, time.Hour)
	m := h.deliver(p, g, uid)
	require.Equal(t, meditation.CancelTerms{Price: 2, FreeLeft: 3}, h.terms(p, m))

	_, err := p.Cancel(t.Context(), uid, m.ID, 0)
	require.ErrorIs(t, err, meditation.ErrCancelTerms)
	untouched, segments, err := p.Get(t.Context(), uid, m.ID)
	require.NoError(t, err)
	require.Equal(t, meditation.Narrating, untouched.State)
	require.Len(t, segments, 2)

	for range 2 { // a second press, or the first one's answer was lost
		stopped, err := p.Cancel(t.Context(), uid, m.ID, m.Cost)
		require.NoError(t, err)
		require.True(t, stopped.EndedEarly)
	}
	ready := h.ended(p, uid, m.ID)
	require.Equal(t, meditation.Ready, ready.State)
	require.Equal(t, 2, ready.PassagesTotal)
	require.Equal(t, 2*segmentTime, ready.Expected)
	require.Equal(t, 8, ready.Words, "those that are spoken")
	id := m.ID.String()
	require.Equal(t, append(sound(id, 0), sound(id, 1)...), h.audio(p, uid, m.ID))
	scripts, err := p.Scripts(t.Context(), ready)
	require.NoError(t, err)
	require.Len(t, scripts[0].Passages, 2)
	page, _, _, err := p.List(t.Context(), uid, meditation.Active, 0, "")
	require.NoError(t, err)
	require.True(t, page[0].EndedEarly)
	require.Equal(t, map[string]int{"captured": 1}, h.billing.holds())
	require.Equal(t, int64(6), h.billing.available(uid))
	require.Equal(t, map[string]int{"requested": 1, "progressed": 3, "completed": 1}, h.events())
	completed := &eventsv1.GenerationCompleted{}
	h.event("completed", completed)
	require.True(t, completed.GetEndedEarly())
	require.Equal(t, (2 * segmentTime).Milliseconds(), completed.GetDurationMs())

	require.NoError(t, p.Sweep(t.Context()))
	for i := range 2 {
		mp3, err := p.ReadSegment(t.Context(), uid, m.ID, i)
		require.NoError(t, err)
		require.Equal(t, sound(id, i), mp3)
	}
}

// event reads the one event of that name.
func (h *harness) event(name string, into proto.Message) {
	h.t.Helper()
	var payload []byte
	require.NoError(h.t, h.db.Pool.QueryRow(h.t.Context(), `SELECT payload FROM outbox WHERE split_part(subject, '.', 4) = $1`, name).Scan(&payload))
	envelope := &eventsv1.Envelope{}
	require.NoError(h.t, proto.Unmarshal(payload, envelope))
	require.NoError(h.t, envelope.GetPayload().UnmarshalTo(into))
}

func TestThreeCancellationsWithinADayAreFree(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	g := newGate(1)
	h.recorder.hook(g.before)
	uid := h.member(80)
	p := h.start(2, time.Hour)
	for left := 3; left > 0; left-- {
		m := h.deliver(p, g, uid)
		require.Equal(t, meditation.CancelTerms{FreeLeft: left}, h.terms(p, m))
		_, err := p.Cancel(t.Context(), uid, m.ID, 0)
		require.NoError(t, err)
		h.pass(time.Hour)
	}
	fourth := h.deliver(p, g, uid)
	require.Equal(t, meditation.CancelTerms{Price: 2}, h.terms(p, fourth))
	_, err := p.Cancel(t.Context(), uid, fourth.ID, 0)
	require.ErrorIs(t, err, meditation.ErrCancelTerms)

	t.Log("another member has their own three")
	other := h.deliver(p, g, h.member(8))
	require.Equal(t, meditation.CancelTerms{FreeLeft: 3}, h.terms(p, other))

	t.Log("nobody pays where nothing was delivered")
	waiting := h.create(p, uid)
	require.Equal(t, meditation.CancelTerms{}, h.terms(p, waiting))
	_, err = p.Cancel(t.Context(), uid, waiting.ID, 0)
	require.NoError(t, err)

	t.Log("a day after the first there is one again")
	h.pass(21*time.Hour + time.Second)
	require.Equal(t, 0, h.terms(p, fourth).FreeLeft, "the one of which nothing was delivered counts as well")
	h.pass(time.Hour)
	require.Equal(t, meditation.CancelTerms{FreeLeft: 1}, h.terms(p, fourth))
	require.Equal(t, int64(80-2), h.billing.available(uid))
}

// With one free cancellation left, of two at once one is free.
func TestCancellationsAtOnceAreJudgedOneAfterAnother(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	g := newGate(1)
	h.recorder.hook(g.before)
	uid := h.member(80)
	p := h.start(2, time.Hour)
	for range 2 {
		m := h.deliver(p, g, uid)
		_, err := p.Cancel(t.Context(), uid, m.ID, 0)
		require.NoError(t, err)
	}
	first, second := h.deliver(p, g, uid), h.deliver(p, g, uid)
	errs := make([]error, 2)
	var cancelling sync.WaitGroup
	for i, m := range []meditation.Meditation{first, second} {
		cancelling.Go(func() { _, errs[i] = p.Cancel(context.Background(), uid, m.ID, 0) })
	}
	cancelling.Wait()
	require.NotEqual(t, errs[0] == nil, errs[1] == nil, "%v, %v", errs[0], errs[1])
	require.Equal(t, 3, h.count(`SELECT count(*) FROM meditations WHERE state = 'cancelled'`))
}

// slowBlobs holds a reader back behind the opened file.
type slowBlobs struct {
	blob.Store
	opened chan struct{}
	goOn   chan struct{}
}

func (b slowBlobs) Open(ctx context.Context, key string) (io.ReadSeekCloser, blob.Info, error) {
	file, info, err := b.Store.Open(ctx, key)
	b.opened <- struct{}{}
	<-b.goOn
	return file, info, err
}

func TestASegmentThatIsBeingReadWhenItIsCancelledIsNotGivenOut(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	g := newGate(1)
	h.recorder.hook(g.before)
	uid := h.member(8)
	m := h.deliver(h.start(1, time.Hour), g, uid)
	slow := slowBlobs{h.blobs, make(chan struct{}), make(chan struct{})}
	reader := h.start(0, time.Hour, func(p *meditation.Ports) { p.Blobs = slow })
	read := make(chan error, 1)
	go func() {
		_, err := reader.ReadSegment(context.Background(), uid, m.ID, 0)
		read <- err
	}()
	<-slow.opened
	_, err := h.start(0, time.Hour).Cancel(t.Context(), uid, m.ID, 0)
	require.NoError(t, err)
	slow.goOn <- struct{}{}
	require.ErrorIs(t, <-read, meditation.ErrNotFound)
}

func TestAWatcherIsToldTheTermsAsTheyChange(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	g := newGate(passages) // never reached
	slow := newGate(1)
	h.recorder.hook(func(ctx context.Context, id string, index int) error {
		if index == 1 {
			return slow.before(ctx, id, index)
		}
		return g.before(ctx, id, index)
	})
	uid := h.member(8)
	p := h.start(1, time.Hour)
	m := h.deliver(p, slow, uid)
	updates, end := follow(t.Context(), p, uid, m.ID, 0)
	require.Equal(t, &meditation.CancelTerms{FreeLeft: 3}, (<-updates).Terms)
	close(slow.open)
	require.NoError(t, <-end)
	dearest := 0
	for u := range updates {
		if u.Meditation.State.Cancellable() {
			require.NotNil(t, u.Terms)
			dearest = max(dearest, u.Terms.Price)
			require.Equal(t, u.Terms.Price > 0, u.Meditation.PassagesDone >= 2)
		} else {
			require.Nil(t, u.Terms, "%s cannot be cancelled", u.Meditation.State)
		}
	}
}

// TestWhereverACancellationForThePriceDiesTheRecordingIsPaidForOnce kills the process that cancels and the one
// that finishes, before and after every write.
func TestWhereverACancellationForThePriceDiesTheRecordingIsPaidForOnce(t *testing.T) {
	t.Parallel()
	for n, name := range []string{"cancel", "claim", "put", "capture", "complete"} {
		for _, before := range []bool{true, false} {
			if name == "claim" && before {
				continue
			}
			t.Run(fmt.Sprintf("%s %v", name, before), func(t *testing.T) {
				t.Parallel()
				h := newHarness(t)
				g := newGate(2)
				h.recorder.hook(g.before)
				uid := h.member(2)
				narrating := h.start(1, time.Hour)
				m := h.deliver(narrating, g, uid)
				narrating.stop()
				crash := crashAt(n+1, before)
				dying := h.start(0, time.Minute, crash.wrap)
				_, _ = dying.Cancel(t.Context(), uid, m.ID, m.Cost)
				if crash.alive() == nil {
					h.work(dying)
					<-crash.died
				}
				require.Equal(t, name, crash.steps[n])
				dying.stop()
				h.lapse()

				p := h.start(0, time.Minute)
				_, err := p.Cancel(t.Context(), uid, m.ID, m.Cost)
				require.NoError(t, err, "the member cancels again")
				h.work(p)
				ready := h.ended(p, uid, m.ID)
				require.Equal(t, meditation.Ready, ready.State)
				require.True(t, ready.EndedEarly)
				require.Equal(t, map[string]int{"captured": 1}, h.billing.holds())
				require.Equal(t, int64(1), h.billing.captures)
				require.Equal(t, 1, h.events()["completed"])
				require.Len(t, h.audio(p, uid, m.ID), len(sound(m.ID.String(), 0))+len(sound(m.ID.String(), 1)))
			})
		}
	}
}

// work lets a process take work that was started without.
func (h *harness) work(p *process) {
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	workshop := meditation.NewWorkshop(p.Service, meditation.Worker{ID: uuid.New(), Recorders: 1, Lease: time.Minute}, 1)
	go func() { done <- workshop.Run(ctx) }()
	h.t.Cleanup(func() { cancel(); <-done })
}
