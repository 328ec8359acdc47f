package generation

import (
	"bytes"
	"context"
	"errors"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"serein.app/services/generation/internal/meditation"
)

// TestNobodyPaysWithoutSoundNorKeepsSoundWithoutPaying runs random interleavings of progress, cancelling, deaths and
// billing's outages against the rule: free while less than a quarter is delivered, three times within a day, and
// never a price where nothing was delivered.
func TestNobodyPaysWithoutSoundNorKeepsSoundWithoutPaying(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	rapid.Check(t, func(rt *rapid.T) {
		uid := h.member(100)
		free := 0
		for range rapid.IntRange(1, 5).Draw(rt, "meditations") {
			delivered := rapid.IntRange(0, passages-1).Draw(rt, "delivered")
			m := h.narrate(uid, delivered)
			before := h.billing.available(uid)
			accepted := rapid.SampledFrom([]int{0, m.Cost}).Draw(rt, "accepted")
			due := 0
			if delivered >= 2 || delivered == 1 && free >= meditation.FreeCancellations {
				due = m.Cost
			}
			h.cancelAndDie(rt, uid, m, accepted)
			switch {
			case accepted != due:
				now, _, err := h.start(0, time.Minute).Get(context.Background(), uid, m.ID)
				require.NoError(rt, err)
				require.False(rt, now.State.Ended(), "terms that were not accepted change nothing")
				h.recorder.hook(nil)
				p := h.start(1, time.Minute)
				require.Equal(rt, meditation.Ready, h.ended(p, uid, m.ID).State)
				require.Equal(rt, wholeSound(m.ID.String()), h.audio(p, uid, m.ID))
				p.stop()
				require.Equal(rt, before, h.billing.available(uid))
			case due == 0:
				free++
				p := h.start(0, time.Minute)
				require.Equal(rt, meditation.Cancelled, h.ended(p, uid, m.ID).State)
				h.nothingToHear(p, uid, m.ID)
				p.stop()
				require.Equal(rt, before+int64(m.Cost), h.billing.available(uid), "the hold is free again")
			default:
				p := h.start(1, time.Minute)
				ready := h.ended(p, uid, m.ID)
				require.Equal(rt, meditation.Ready, ready.State)
				require.Equal(rt, delivered, ready.PassagesTotal)
				var heard bytes.Buffer
				for i := range delivered {
					heard.Write(sound(m.ID.String(), i))
				}
				require.Equal(rt, heard.Bytes(), h.audio(p, uid, m.ID))
				p.stop()
				require.Equal(rt, before, h.billing.available(uid), "what was held is spent")
			}
		}
		require.Equal(rt, int64(100), h.billing.available(uid)+h.spentBy(uid))
	})
}

// narrate makes a meditation of which that many segments are delivered, and stops its worker.
func (h *harness) narrate(uid uuid.UUID, delivered int) meditation.Meditation {
	g := newGate(delivered)
	h.recorder.hook(g.before)
	p := h.start(1, time.Hour)
	m := h.create(p, uid)
	<-g.arrived
	p.stop()
	return m
}

// cancelAndDie cancels in processes that may die at any step, while billing fails, until the answer comes.
func (h *harness) cancelAndDie(rt *rapid.T, uid uuid.UUID, m meditation.Meditation, accepted int) {
	for _, dieAt := range rapid.SliceOfN(rapid.IntRange(1, 4), 0, 2).Draw(rt, "deaths") {
		crash := crashAt(dieAt, rapid.Bool().Draw(rt, "before"))
		if rapid.Bool().Draw(rt, "billing is away") {
			h.billing.fail(away("release"), nil)
		}
		p := h.start(0, time.Minute, crash.wrap)
		_, _ = p.Cancel(context.Background(), uid, m.ID, accepted)
		p.stop()
		h.billing.fail(nil, nil)
	}
	p := h.start(0, time.Minute)
	defer p.stop()
	if _, err := p.Cancel(context.Background(), uid, m.ID, accepted); err != nil && !errors.Is(err, meditation.ErrCancelTerms) {
		rt.Fatalf("cancel: %v", err)
	}
	h.exec(`UPDATE meditations SET next_try_at = now()`)
	require.NoError(rt, p.Sweep(context.Background()))
}

// spentBy sums what the member's captured holds cost.
func (h *harness) spentBy(uid uuid.UUID) (n int64) {
	h.billing.mu.Lock()
	defer h.billing.mu.Unlock()
	for _, found := range h.billing.byID {
		if found.uid == uid.String() && found.state == "captured" {
			n += found.amount
		}
	}
	return n
}
