package generation

import (
	"context"
	"io"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"serein.app/services/generation/internal/meditation"
	"serein.app/services/platform/blob"
)

// stallingCredits never answer a release before they are left alone.
type stallingCredits struct{ meditation.Credits }

func (stallingCredits) Release(ctx context.Context, _, _ uuid.UUID) error {
	<-ctx.Done()
	return ctx.Err()
}

func TestABillingThatStallsKeepsNoSoundFromBeingTidied(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	p := h.start(0, time.Minute, func(ports *meditation.Ports) { ports.Credits = stallingCredits{ports.Credits} })
	const unreconciled = 16
	for _, settled := range []bool{false, true} {
		h.exec(`INSERT INTO meditations (id, uid, title, type_id, practice_id, size_id, immersive, track_id, day, brief, narrator_id,
				narrator_name, cost, hold_id, state, settled, created_at, deadline, ended_at)
			SELECT gen_random_uuid(), gen_random_uuid(), 'x', 'x', 'x', 'x', false, '', '2026-11-21', '{}', 'x', 'x', 1, gen_random_uuid(),
				'cancelled', $1, now(), now() + interval '1 minute', now() FROM generate_series(1, $2)`, settled, unreconciled)
	}
	require.ErrorIs(t, p.Sweep(t.Context()), context.DeadlineExceeded, "billing has no end: a sweep gives each try its time")
	require.Equal(t, unreconciled, h.count(`SELECT count(*) FROM meditations WHERE tidied`))
	for began := time.Now(); h.count(`SELECT count(*) FROM meditations WHERE NOT settled AND tries = 0`) > 0; {
		require.Less(t, time.Since(began), waitFor, "on a slow machine some come in the next sweep")
		_ = p.Sweep(t.Context())
	}
	require.Equal(t, unreconciled, h.count(`SELECT count(*) FROM meditations WHERE NOT settled AND tries = 1`), "all were tried once, and wait")
}

// boundedBlobs note whether a whole file may take for ever.
type boundedBlobs struct {
	blob.Store
	unbounded atomic.Int32
}

func (b *boundedBlobs) Put(ctx context.Context, key string, r io.Reader, size int64) error {
	if _, ok := ctx.Deadline(); !ok {
		b.unbounded.Add(1)
	}
	return b.Store.Put(ctx, key, r, size)
}

// Work that a worker claims in state finishing has no deadline: only billing can end it.
func TestAStoreThatStallsKeepsNoSlotForEver(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	uid := h.member(8)
	h.billing.fail(away("capture"), nil)
	first := h.start(1, time.Hour)
	m := h.create(first, uid)
	require.Eventually(t, func() bool { return h.count(`SELECT count(*) FROM meditations WHERE state = 'finishing'`) == 1 }, waitFor, 5*time.Millisecond)
	first.stop()
	h.billing.fail(nil, nil)
	blobs := &boundedBlobs{Store: h.blobs}
	next := h.start(1, time.Hour, func(p *meditation.Ports) { p.Blobs = blobs })
	require.Equal(t, meditation.Ready, h.ended(next, uid, m.ID).State)
	require.Zero(t, blobs.unbounded.Load())
}
