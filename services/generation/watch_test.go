package generation

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"serein.app/services/generation/internal/meditation"
	"serein.app/services/platform/pagetoken"
)

// follow collects a stream until it ends, and says so.
func follow(ctx context.Context, p *process, uid, id uuid.UUID, from int) (<-chan meditation.Update, <-chan error) {
	updates, end := make(chan meditation.Update, 1000), make(chan error, 1)
	go func() {
		end <- p.Watch(ctx, uid, id, from, func(u meditation.Update) error { updates <- u; return nil })
		close(updates)
	}()
	return updates, end
}

func TestAWatcherSeesEveryStageAndEachSegmentOnceInOrder(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	worker := h.start(0, time.Minute)
	uid := h.member(8)
	m := h.create(worker, uid)
	g := newGate(2)
	h.recorder.hook(g.before)

	// The watcher is on another replica than the narrator.
	watcher := h.start(0, time.Minute)
	updates, end := follow(t.Context(), watcher, uid, m.ID, 0)
	first := <-updates
	require.Equal(t, meditation.Queued, first.Meditation.State, "the state at once")
	h.start(1, time.Minute)
	<-g.arrived
	segments := 0
	for segments < 2 {
		u := <-updates
		segments += len(u.Segments)
		require.GreaterOrEqual(t, u.Meditation.PassagesDone, segments)
	}
	t.Log("a second watcher comes back with two segments in hand")
	late, lateEnd := follow(t.Context(), watcher, uid, m.ID, 2)
	require.Empty(t, (<-late).Segments)
	close(g.open)

	require.NoError(t, <-end)
	require.NoError(t, <-lateEnd)
	next, last := 2, meditation.Meditation{}
	for u := range late {
		for _, s := range u.Segments {
			require.Equal(t, next, s.Index)
			next++
		}
		require.Greater(t, u.Meditation.Version, last.Version)
		last = u.Meditation
	}
	require.Equal(t, passages, next)
	require.Equal(t, meditation.Ready, last.State)
	require.Equal(t, passages*segmentTime, last.ReadyFor)
}

func TestWatchingWhatHasEndedAnswersOnceAndEnds(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	p := h.start(1, time.Minute)
	uid := h.member(8)
	m := h.create(p, uid)
	h.ended(p, uid, m.ID)
	updates, end := follow(t.Context(), p, uid, m.ID, 0)
	require.NoError(t, <-end)
	u := <-updates
	require.Equal(t, meditation.Ready, u.Meditation.State)
	require.Len(t, u.Segments, passages)
	_, more := <-updates
	require.False(t, more)
}

func TestLeavingStopsOnlyTheWatching(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	g := newGate(1)
	h.recorder.hook(g.before)
	p := h.start(1, time.Minute)
	uid := h.member(8)
	m := h.create(p, uid)
	ctx, leave := context.WithCancel(t.Context())
	_, end := follow(ctx, p, uid, m.ID, 0)
	<-g.arrived
	leave()
	require.ErrorIs(t, <-end, context.Canceled)
	close(g.open)
	require.Equal(t, meditation.Ready, h.ended(p, uid, m.ID).State)
}

func TestAWatcherWhoseSendFailsIsLetGo(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	p := h.start(0, time.Minute)
	uid := h.member(8)
	m := h.create(p, uid)
	gone := errors.New("the browser is gone")
	require.ErrorIs(t, p.Watch(t.Context(), uid, m.ID, 0, func(meditation.Update) error { return gone }), gone)
}

func TestTheEndIsShownWithTheCreditsBack(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	p := h.start(0, time.Minute)
	uid := h.member(2)
	m := h.create(p, uid)
	updates, end := follow(t.Context(), p, uid, m.ID, 0)
	<-updates
	_, err := p.Cancel(t.Context(), uid, m.ID, 0)
	require.NoError(t, err)
	require.NoError(t, <-end)
	u := <-updates
	require.Equal(t, meditation.Cancelled, u.Meditation.State)
	require.True(t, u.Meditation.Reconciled)
	require.Equal(t, int64(2), h.billing.available(uid))
}

func TestAWatcherSurvivesTheLossOfNotifications(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	g := newGate(1)
	h.recorder.hook(g.before)
	p := h.start(1, time.Minute)
	uid := h.member(8)
	m := h.create(p, uid)
	updates, end := follow(t.Context(), p, uid, m.ID, 0)
	<-g.arrived
	h.exec(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND query = 'LISTEN generation'`)
	close(g.open)
	require.NoError(t, <-end)
	var last meditation.Update
	seen := 0
	for u := range updates {
		last = u
		seen += len(u.Segments)
	}
	require.Equal(t, meditation.Ready, last.Meditation.State)
	require.Equal(t, passages, seen)
}

func TestPagesHoldEveryMeditationOnceNewestFirst(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	p := h.start(0, time.Minute)
	uid := h.member(0)
	const all = 23
	for i := range all {
		h.exec(`INSERT INTO meditations (id, uid, title, type_id, practice_id, size_id, immersive, track_id, day, brief, narrator_id, narrator_name,
			cost, hold_id, state, ended_at, failure_reason, settled, created_at, deadline)
			VALUES ($1, $2, $3, 't', 'p', 's', false, '', now(), '{}', 'maren', 'Maren', 1, $1, 'failed', now(), 'x', true, $4, $5)`,
			uuid.NewString(), uid, fmt.Sprint(i), h.clock().Add(time.Duration(i/3)*time.Second), h.clock().Add(time.Hour))
	}
	rapid.Check(t, func(rt *rapid.T) {
		size := rapid.IntRange(1, all+1).Draw(rt, "size")
		seen, token := map[uuid.UUID]bool{}, ""
		last := time.Time{}
		for {
			page, next, total, err := p.List(context.Background(), uid, meditation.Active, size, token)
			require.NoError(rt, err)
			require.Equal(rt, all, total)
			for _, m := range page {
				require.False(rt, seen[m.ID], "once")
				require.True(rt, last.IsZero() || !m.CreatedAt.After(last), "newest first")
				seen[m.ID], last = true, m.CreatedAt
			}
			if token = next; token == "" {
				break
			}
			require.Len(rt, page, size)
		}
		require.Len(rt, seen, all)
	})
	_, _, _, err := p.List(t.Context(), uid, meditation.Active, 5, "not a token")
	require.ErrorIs(t, err, pagetoken.ErrInvalid)
	_, _, _, err = p.List(t.Context(), uid, meditation.Active, 5, "MjAyNi0xMS0yMVQwMDowMDowMFogJyBPUiAxPTE")
	require.ErrorIs(t, err, pagetoken.ErrInvalid)
}
