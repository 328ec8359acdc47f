package generation

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	eventsv1 "serein.app/proto/gen/serein/events/v1"
	"serein.app/services/generation/internal/meditation"
)

// loseSound makes a meditation that is paid for, whose answer was lost, and whose sound is gone.
func (h *harness) loseSound(uid uuid.UUID) meditation.Meditation {
	h.t.Helper()
	h.billing.fail(nil, away("capture"))
	p := h.start(1, time.Minute)
	m := h.create(p, uid)
	require.Eventually(h.t, func() bool { return h.billing.calls("capture") >= 1 }, waitFor, 5*time.Millisecond)
	p.stop()
	h.lapse()
	h.exec(`UPDATE meditations SET next_try_at = now()`)
	h.billing.fail(nil, nil)
	require.Equal(h.t, map[string]int{"captured": 1}, h.billing.holds())
	keys, err := h.blobs.List(h.t.Context(), "meditations/")
	require.NoError(h.t, err)
	for _, key := range keys {
		require.NoError(h.t, h.blobs.Delete(h.t.Context(), key))
	}
	return m
}

func TestCapturedWorkWhoseSoundIsLostIsRefunded(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	uid := h.member(2)
	m := h.loseSound(uid)
	h.pass(meditation.Patience)
	p := h.start(1, time.Minute)
	refunded := h.ended(p, uid, m.ID)
	require.Equal(t, meditation.Refunded, refunded.State)
	require.Equal(t, meditation.ReasonSoundLost, refunded.FailureReason)
	require.Equal(t, map[string]int{"refunded": 1}, h.billing.holds())
	require.Equal(t, int64(2), h.billing.available(uid))
	require.Equal(t, map[string]int{"requested": 1, "progressed": 3, "refunded": 1}, h.events())
	event := &eventsv1.GenerationRefunded{}
	h.event("refunded", event)
	require.EqualValues(t, 2, event.GetCredits())
	require.NoError(t, p.Sweep(t.Context()))
	require.NoError(t, p.Sweep(t.Context()))
	h.nothingToHear(p, uid, m.ID)
	require.Equal(t, 1, h.billing.calls("refund"))

	page, _, _, err := p.List(t.Context(), uid, meditation.Active, 0, "")
	require.NoError(t, err)
	require.Equal(t, meditation.Refunded, page[0].State, "the member reads what became of it")
	for range meditation.MaxRunning {
		_, err := h.start(0, time.Minute).Create(t.Context(), h.refill(uid), request())
		require.NoError(t, err, "its slot is free")
	}
}

func (h *harness) refill(uid uuid.UUID) uuid.UUID {
	h.billing.grant(uid, 2)
	return uid
}

// The file that was joined before the hold was captured is the recording, whatever became of its segments.
func TestTheJoinedFileIsGoodWithoutItsSegments(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	uid := h.member(2)
	h.billing.fail(nil, away("capture"))
	first := h.start(1, time.Minute)
	m := h.create(first, uid)
	require.Eventually(t, func() bool { return h.billing.calls("capture") >= 1 }, waitFor, 5*time.Millisecond)
	first.stop()
	h.lapse()
	h.exec(`UPDATE meditations SET next_try_at = now()`)
	keys, err := h.blobs.List(t.Context(), "meditations/"+m.ID.String()+"/segments/")
	require.NoError(t, err)
	require.Len(t, keys, passages)
	for _, key := range keys {
		require.NoError(t, h.blobs.Delete(t.Context(), key))
	}
	h.billing.fail(nil, nil)
	p := h.start(1, time.Minute)
	require.Equal(t, meditation.Ready, h.ended(p, uid, m.ID).State)
	require.Equal(t, wholeSound(m.ID.String()), h.audio(p, uid, m.ID))
}

// A store that does not answer has not lost anything: it is waited for, until the hold's own time is over.
func TestAStoreThatIsAwayIsWaitedForBeforeARefund(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	uid := h.member(2)
	h.billing.fail(nil, away("capture"))
	first := h.start(1, time.Minute)
	m := h.create(first, uid)
	require.Eventually(t, func() bool { return h.billing.calls("capture") >= 1 }, waitFor, 5*time.Millisecond)
	first.stop()
	h.lapse()
	h.exec(`UPDATE meditations SET next_try_at = now()`)
	h.billing.fail(nil, nil)
	h.pass(meditation.Patience)
	h.start(1, time.Minute, func(ports *meditation.Ports) {
		ports.Blobs = &unreliableBlobs{Store: ports.Blobs, refuses: "open", left: 1 << 30}
	})
	asked := h.billing.calls("release")
	require.Eventually(t, func() bool { return h.billing.calls("release") >= asked+2 }, waitFor, 5*time.Millisecond)
	require.Zero(t, h.billing.calls("refund"))
	h.pass(meditation.HoldTime)
	require.Equal(t, meditation.Refunded, h.ended(h.start(0, time.Minute), uid, m.ID).State)
}

// stoppedStore loses the work at the moment at which its end is written down.
type stoppedStore struct {
	meditation.Store
	ending func()
}

func (s stoppedStore) Fail(ctx context.Context, m meditation.Meditation, reason string, reconciled bool, now time.Time) (meditation.Meditation, error) {
	s.ending()
	return s.Store.Fail(ctx, m, reason, reconciled, now)
}

func (s stoppedStore) Refund(ctx context.Context, m meditation.Meditation, reason string, now time.Time) (meditation.Meditation, error) {
	s.ending()
	return s.Store.Refund(ctx, m, reason, now)
}

func (s stoppedStore) Complete(ctx context.Context, m meditation.Meditation, now time.Time) error {
	s.ending()
	return s.Store.Complete(ctx, m, now)
}

// The end itself tells the watch that the work is nobody's any more, and a process may be stopped at any moment.
func TestAnEndThatIsBeingWrittenDownIsNotCutOff(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]struct {
		prepare func(*harness, uuid.UUID) meditation.Meditation
		left    int64 // of two credits
	}{
		"a refund": {func(h *harness, uid uuid.UUID) meditation.Meditation {
			m := h.loseSound(uid)
			h.pass(meditation.Patience)
			return m
		}, 2},
		"a failure": {func(h *harness, uid uuid.UUID) meditation.Meditation {
			m := h.create(h.start(0, time.Minute), uid)
			h.exec(`UPDATE meditations SET tries = $1`, meditation.MaxTries)
			return m
		}, 2},
		"a success": {func(h *harness, uid uuid.UUID) meditation.Meditation {
			return h.create(h.start(0, time.Minute), uid)
		}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHarness(t)
			uid := h.member(2)
			m := end.prepare(h, uid)
			stop := make(chan func(), 1)
			p := h.start(1, time.Minute, func(ports *meditation.Ports) {
				ports.Store = stoppedStore{Store: ports.Store, ending: func() { (<-stop)() }}
			})
			stop <- p.kill
			<-p.done
			now, _, err := h.start(0, time.Minute).Get(t.Context(), uid, m.ID)
			require.NoError(t, err)
			require.True(t, now.State.Ended() && now.Reconciled, "%s", now.State)
			require.Equal(t, end.left, h.billing.available(uid))
		})
	}
}

// TestWhereverARefundDiesTheCreditsAreBackOnce kills the process before and after every write of it.
func TestWhereverARefundDiesTheCreditsAreBackOnce(t *testing.T) {
	t.Parallel()
	for n, name := range []string{"claim", "put", "release", "lose", "refund", "reconcile"} {
		for _, before := range []bool{true, false} {
			if name == "claim" && before {
				continue
			}
			t.Run(fmt.Sprintf("%s %v", name, before), func(t *testing.T) {
				t.Parallel()
				h := newHarness(t)
				uid := h.member(2)
				m := h.loseSound(uid)
				h.pass(meditation.Patience)
				crash := crashAt(n+1, before)
				dying := h.start(1, time.Minute, crash.wrap)
				<-crash.died
				require.Equal(t, name, crash.steps[n])
				dying.stop()
				h.lapse()
				h.exec(`UPDATE meditations SET next_try_at = now()`)

				p := h.start(1, time.Minute)
				require.Eventually(t, func() bool {
					require.NoError(t, p.Sweep(t.Context()))
					now, _, err := p.Get(t.Context(), uid, m.ID)
					return err == nil && now.State == meditation.Refunded && now.Reconciled
				}, waitFor, 20*time.Millisecond)
				require.Equal(t, map[string]int{"refunded": 1}, h.billing.holds())
				require.Equal(t, int64(2), h.billing.available(uid))
				require.Equal(t, 1, h.events()["refunded"])
			})
		}
	}
}
