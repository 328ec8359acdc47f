package generation

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"serein.app/services/generation/internal/meditation"
	"serein.app/services/generation/internal/metrics"
	"serein.app/services/testkit"
)

// metric sums up all points of one of the service's metrics, as it is scraped.
func (h *harness) metric(name string) float64 {
	h.t.Helper()
	return testkit.Metric(h.t, h.reader, "serein.generation."+name)
}

func TestWhoRunsTheServiceSeesWhatWaitsWhoWorksAndWhatGoesWrong(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	p := h.start(0, time.Minute)
	require.NoError(t, metrics.Watch(h.meters, p.Load, h.recorder.Pace, h.clock))
	h.recorder.measure(40 * time.Millisecond)
	h.create(p, h.member(8))
	h.beats(p, 2, 40*time.Millisecond)
	h.pass(time.Minute)
	for name, want := range map[string]float64{
		"queue.pieces": 1, "queue.sound": 220, "queue.age": 60, "workers": 1, "recorders": 2, "rate": 50, "pace": 0.04,
		"refused": 0, "setbacks": 0, "leases.lost": 0, "first_sound": 0,
	} {
		require.InDelta(t, want, h.metric(name), 1e-6, name)
	}

	_, err := p.Create(t.Context(), h.member(0), request())
	require.Error(t, err)
	require.InDelta(t, 1, h.metric("refused"), 0)

	failed := false
	h.recorder.hook(func(context.Context, string, int) error {
		if failed {
			return nil
		}
		failed = true
		return errors.New("a cough")
	})
	working := h.start(1, time.Minute)
	require.Eventually(t, func() bool { return h.metric("first_sound") == 1 }, waitFor, 5*time.Millisecond)
	require.InDelta(t, 1, h.metric("setbacks"), 0)
	working.stop()

	h.create(p, h.member(8))
	dead := meditation.Worker{ID: p.NewID(), Recorders: 1, Lease: time.Minute}
	require.NoError(t, p.Store.Beat(t.Context(), dead, true))
	_, ok, err := p.Store.Claim(t.Context(), meditation.Claim{Worker: dead.ID, Now: h.clock()})
	require.NoError(t, err)
	require.True(t, ok)
	h.lapse()
	heir := h.start(1, time.Minute)
	require.Eventually(t, func() bool { return h.metric("leases.lost") == 1 }, waitFor, 5*time.Millisecond)
	heir.stop()

	h.exec(`UPDATE workers SET lost_at = NULL, lease_until = now() + interval '1 hour'`)
	h.exec(`INSERT INTO meditations (id, uid, idempotency_key, title, type_id, practice_id, size_id, immersive, track_id, day, brief,
			narrator_id, narrator_name, cost, hold_id, state, expected_us, created_at, deadline)
		SELECT gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), title, type_id, practice_id, size_id, immersive, track_id, day, brief,
			narrator_id, narrator_name, cost, hold_id, 'queued', 220000000, $1, $2 FROM meditations LIMIT 1`,
		h.clock().Add(-meditation.Patience), h.clock().Add(time.Second))
	require.NoError(t, p.RefreshLoad(t.Context()))
	_ = p.Sweep(t.Context()) // billing does not know the hold
	require.InDelta(t, 1, h.metric("shed"), 0)
}
