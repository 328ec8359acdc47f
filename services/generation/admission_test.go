package generation

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"serein.app/services/generation/internal/meditation"
	"serein.app/services/platform/errs"
)

// beats makes a worker known that makes a second of sound in that time, and does nothing.
func (h *harness) beats(p *process, recorders int, pace time.Duration) {
	h.t.Helper()
	require.NoError(h.t, p.Store.Beat(h.t.Context(), meditation.Worker{
		ID: uuid.New(), Recorders: recorders, Pace: pace, Lease: time.Hour,
	}, true))
	require.NoError(h.t, p.RefreshLoad(h.t.Context()))
}

// fill asks until nobody is let in any more, and answers how many were.
func (h *harness) fill(p *process) (accepted int, refusal error) {
	h.t.Helper()
	for {
		if _, err := p.Create(h.t.Context(), h.member(8), request()); err != nil {
			return accepted, err
		}
		accepted++
	}
}

// One worker makes a second of sound a second, and a request is for 220 s of it. Of the ten minutes that a member
// waits at most, eight are given away.
func TestWhatCannotBeNarratedBeforeItsDeadlineIsRefusedWithTheTrueWaitingTime(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	p := h.start(0, time.Minute)
	h.beats(p, 2, 2*time.Second)
	accepted, refusal := h.fill(p)
	require.Equal(t, 2, accepted, "440 s fit into eight minutes, 660 s do not")
	require.ErrorIs(t, refusal, meditation.ErrBusy)
	require.Equal(t, 300*time.Second, errs.From(refusal).RetryAfter, "660 s must become 360 s before many are let in again")
	require.Equal(t, "The studio is full. Try again in about 5 minutes.", errs.From(refusal).Public)

	t.Run("nothing is held, charged or kept of a refused request", func(t *testing.T) {
		require.Equal(t, map[string]int{"open": 2}, h.billing.holds())
		require.Equal(t, 2, h.count(`SELECT count(*) FROM meditations`))
		require.Equal(t, map[string]int{"requested": 2}, h.events())
	})
	t.Run("also of what is in the queue by now, and not only of what this process accepted", func(t *testing.T) {
		require.NoError(t, p.RefreshLoad(t.Context()))
		require.NoError(t, p.RefreshLoad(t.Context()))
		_, err := p.Create(t.Context(), h.member(8), request())
		require.ErrorIs(t, err, meditation.ErrBusy)
		other := h.start(0, time.Minute)
		require.NoError(t, other.RefreshLoad(t.Context()))
		_, err = other.Create(t.Context(), h.member(8), request())
		require.ErrorIs(t, err, meditation.ErrBusy)
	})
	t.Run("it is let in again once the queue has shrunk, with the same key", func(t *testing.T) {
		uid, r := h.member(8), request()
		_, err := p.Create(t.Context(), uid, r)
		require.ErrorIs(t, err, meditation.ErrBusy)
		h.exec(`UPDATE meditations SET ready_us = expected_us`)
		require.NoError(t, p.RefreshLoad(t.Context()))
		require.NoError(t, p.RefreshLoad(t.Context()))
		m, err := p.Create(t.Context(), uid, r)
		require.NoError(t, err)
		require.Equal(t, meditation.Queued, m.State)
	})
}

func TestWhatWasAcceptedIsAnsweredAgainAlsoWhileTheStudioIsFull(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	p := h.start(0, time.Minute)
	uid, r := h.member(8), request()
	first, err := p.Create(t.Context(), uid, r)
	require.NoError(t, err)
	h.beats(p, 1, 10*time.Second)
	again, err := p.Create(t.Context(), uid, r)
	require.NoError(t, err)
	require.Equal(t, first.ID, again.ID)
	r.Title = "Another title"
	_, err = p.Create(t.Context(), uid, r)
	require.ErrorIs(t, err, meditation.ErrIdempotencyKeyReused)
	_, err = p.Create(t.Context(), uid, request())
	require.ErrorIs(t, err, meditation.ErrBusy)
}

// Members without credits could otherwise keep the studio full for everybody.
func TestARequestThatBillingRefusesTakesNoTimeFromOthers(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	p := h.start(0, time.Minute)
	h.beats(p, 1, time.Second)
	for range 20 {
		_, err := p.Create(t.Context(), h.member(0), request())
		require.NotErrorIs(t, err, meditation.ErrBusy)
	}
	accepted, _ := h.fill(p)
	require.Equal(t, 2, accepted)
}

// What was reserved for a request is given back where it was reserved, also when the load was looked at meanwhile.
func TestARequestThatBillingRefusesTakesNoTimeAlsoWhileTheLoadIsLookedAt(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	p := h.start(0, time.Minute)
	h.beats(p, 1, time.Second)
	h.billing.fail(func(string) error { return p.RefreshLoad(context.Background()) }, nil)
	for range 2 {
		_, err := p.Create(t.Context(), h.member(0), request())
		require.NotErrorIs(t, err, meditation.ErrBusy)
	}
	h.billing.fail(nil, nil)
	accepted, _ := h.fill(p)
	require.Equal(t, 2, accepted)
}

// Ten seconds of sound are made in a second, so six minutes are enough for 16 requests and eight for 21.
func TestMembersWithWorkLeaveRoomForThoseWhoHaveNone(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	p := h.start(0, time.Minute)
	h.beats(p, 1, 100*time.Millisecond)
	accepted, refused := 0, 0
	for range 20 {
		uid := h.member(8)
		for range meditation.MaxRunning {
			if _, err := p.Create(t.Context(), uid, request()); err != nil {
				require.ErrorIs(t, err, meditation.ErrBusy)
				require.Positive(t, errs.From(err).RetryAfter)
				refused++
				break
			}
			accepted++
		}
		if refused == 1 {
			break
		}
	}
	require.Equal(t, 16, accepted, "of members who have up to three at work")

	t.Run("who presses three times at once is let in once", func(t *testing.T) {
		uid := h.member(24)
		results := make(chan error, meditation.MaxRunning)
		for range meditation.MaxRunning {
			go func() {
				_, err := p.Create(context.Background(), uid, request())
				results <- err
			}()
		}
		let := 0
		for range meditation.MaxRunning {
			if err := <-results; err == nil {
				let++
			} else {
				require.ErrorIs(t, err, meditation.ErrBusy)
			}
		}
		require.Equal(t, 1, let)
		require.Equal(t, 17, h.billing.holds()["open"], "and nothing is held of the others")
	})
	more, refusal := h.fill(p)
	require.Equal(t, 4, more, "members who have nothing at work")
	require.ErrorIs(t, refusal, meditation.ErrBusy)
}

func TestWhereNobodyWorksRequestsAreRefusedOnceThePaceIsKnown(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	p := h.start(0, time.Minute)
	_, err := p.Create(t.Context(), h.member(8), request())
	require.NoError(t, err, "nothing was measured yet")
	h.beats(p, 1, time.Millisecond)
	h.lapse()
	require.NoError(t, p.RefreshLoad(t.Context()))
	_, err = p.Create(t.Context(), h.member(8), request())
	require.ErrorIs(t, err, meditation.ErrBusy)
	require.Equal(t, time.Minute, errs.From(err).RetryAfter)
}

// The pace that is measured reaches the other replicas by the heartbeat.
func TestThePaceThatARecorderHasIsSharedByItsHeartbeat(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	h.recorder.measure(40 * time.Millisecond)
	h.start(1, time.Second)
	other := h.start(0, time.Minute)
	require.Eventually(t, func() bool {
		require.NoError(t, other.RefreshLoad(t.Context()))
		return other.Load().Known
	}, waitFor, 5*time.Millisecond)
	require.Equal(t, 25*time.Second, other.Load().Rate, "of sound in a second")
	require.Equal(t, 1, other.Load().Workers)
}
