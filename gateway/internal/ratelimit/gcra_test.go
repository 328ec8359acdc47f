package ratelimit_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"serein.app/gateway/internal/ratelimit"
	"serein.app/services/platform/guard"
	"serein.app/services/testkit"
	"serein.app/services/testkit/clock"
	"serein.app/services/testkit/redistest"
)

// schedule draws a limit and the pauses between events: bursts, trickles and long silences.
func schedule(rt *rapid.T) (guard.Limit, []time.Duration) {
	limit := guard.Limit{
		Name: rapid.StringMatching(`[a-z]{12}`).Draw(rt, "name"), Count: rapid.SampledFrom([]int{1, 2, 5, 10, 20, 100}).Draw(rt, "count"),
		Per: time.Second, Burst: rapid.IntRange(1, 20).Draw(rt, "burst"),
	}
	pause := rapid.OneOf(rapid.Just(0), rapid.IntRange(0, 2_000), rapid.IntRange(0, 400_000), rapid.IntRange(0, 30_000_000))
	micros := rapid.SliceOfN(pause, 1, 80).Draw(rt, "pauses")
	pauses := make([]time.Duration, len(micros))
	for i, m := range micros {
		pauses[i] = time.Duration(m) * time.Microsecond
	}
	return limit, pauses
}

var errRefused = errors.New("refused")

// ask counts an event of key, unless it is refused.
func ask(ctx context.Context, l *ratelimit.Limiter, key string, refused error) error {
	takeBack, err := l.Count(ctx, key)
	if refused == nil {
		return err
	}
	takeBack(ctx)
	return refused
}

func TestReplicasTogetherAreOneTokenBucketOfWhatIsNotRefused(t *testing.T) {
	t.Parallel()
	server := redistest.New(t)
	var clients [2]*redis.Client
	for i := range clients {
		clients[i] = redis.NewClient(&redis.Options{Addr: server.Addr(), MaxRetries: -1, DisableIdentity: true})
		t.Cleanup(func() { _ = clients[i].Close() })
	}
	rapid.Check(t, func(rt *rapid.T) {
		limit, pauses := schedule(rt)
		watch := clock.New()
		reference := guard.NewBuckets(limit)
		var two [2]*ratelimit.Limiter
		for i := range two {
			two[i] = ratelimit.NewLimiter(limit, clients[i], testkit.Logger(t), watch.Now)
		}
		key := uuid.NewString() // Redis has not seen it, also where a case is tried again
		for i, pause := range pauses {
			watch.Move(pause)
			server.FastForward(pause) // what Redis forgets was full again
			limiter := two[rapid.IntRange(0, 1).Draw(rt, "replica")]
			if rapid.Bool().Draw(rt, "refused") {
				require.ErrorIs(rt, ask(t.Context(), limiter, key, errRefused), errRefused, "not the limit")
				continue
			}
			err := ask(t.Context(), limiter, key, nil)
			want, _ := reference.Allow("k", watch.Now())
			require.Equal(rt, want, err == nil, "event %d: %v", i, err)
		}
	})
}

func TestWhatIsRefusedIsNotCountedWhileRedisIsAway(t *testing.T) {
	t.Parallel()
	r := setup(t, tenAnHour)
	r.redis.Close()
	for range 20 {
		require.ErrorIs(t, ask(t.Context(), r.two[0], "a", errRefused), errRefused)
	}
	for range 5 {
		require.NoError(t, r.two[0].Allow(t.Context(), "a"))
	}
	require.ErrorIs(t, r.two[0].Allow(t.Context(), "a"), guard.ErrTooMany)
}

// A caller who disconnects before Redis has counted the call gets no refund for a place that it never took.
func TestAnAbortedCallRefundsNothing(t *testing.T) {
	t.Parallel()
	r := setup(t, tenAnHour)
	for range 4 {
		require.NoError(t, r.two[0].Allow(t.Context(), "a"))
	}
	aborted, abort := context.WithCancel(t.Context())
	abort()
	for range 4 {
		require.ErrorIs(t, ask(aborted, r.two[1], "a", errRefused), errRefused)
	}
	require.NoError(t, r.two[0].Allow(t.Context(), "a"))
	require.ErrorIs(t, r.two[0].Allow(t.Context(), "a"), guard.ErrTooMany)
	require.ErrorIs(t, r.two[1].Allow(t.Context(), "a"), guard.ErrTooMany)
}

func TestWhatIsTakenBackLeavesNoKeyForEver(t *testing.T) {
	t.Parallel()
	r := setup(t, tenAnHour)
	for range 3 {
		require.NoError(t, r.two[0].Allow(t.Context(), "a"))
	}
	require.ErrorIs(t, ask(t.Context(), r.two[0], "a", errRefused), errRefused)
	require.Len(t, r.redis.Keys(), 1)
	r.redis.FastForward(time.Hour)
	require.Empty(t, r.redis.Keys())
}

func TestRedisIsLeftAloneForAMomentAndThenAskedAgain(t *testing.T) {
	t.Parallel()
	r := setup(t, guard.Limit{Name: "again", Count: 10, Per: time.Hour, Burst: 3})
	require.NoError(t, r.two[0].Allow(t.Context(), "a"))
	r.redis.SetError("LOADING")
	require.NoError(t, r.two[0].Allow(t.Context(), "a"), "its own count goes on")
	r.redis.SetError("")
	require.NoError(t, r.two[0].Allow(t.Context(), "a"), "not asked within the second")
	require.ErrorIs(t, r.two[0].Allow(t.Context(), "a"), guard.ErrTooMany)
	r.clock.Move(time.Second)
	require.NoError(t, r.two[1].Allow(t.Context(), "a"), "Redis has seen one")
	require.NoError(t, r.two[1].Allow(t.Context(), "a"))
	require.ErrorIs(t, r.two[1].Allow(t.Context(), "a"), guard.ErrTooMany, "and counts on from there")
	require.ErrorIs(t, r.two[0].Allow(t.Context(), "a"), guard.ErrTooMany)
}
