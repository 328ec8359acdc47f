package guard_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"serein.app/gateway/internal/guard"
	"serein.app/services/testkit"
	"serein.app/services/testkit/clock"
	"serein.app/services/testkit/redistest"
)

// tokenBucket is the textbook's: it fills steadily to the burst, and an event takes one token. What
// it holds is kept as the time that filled it, so that nothing is rounded.
type tokenBucket struct {
	interval, holds, size time.Duration
	last                  time.Time
}

func newTokenBucket(l guard.Limit, now time.Time) *tokenBucket {
	interval := l.Per / time.Duration(l.Count)
	size := interval * time.Duration(l.Burst)
	return &tokenBucket{interval: interval, holds: size, size: size, last: now}
}

func (b *tokenBucket) allow(now time.Time) (bool, time.Duration) {
	b.holds = min(b.size, b.holds+now.Sub(b.last))
	b.last = now
	if b.holds < b.interval {
		return false, b.interval - b.holds
	}
	b.holds -= b.interval
	return true, 0
}

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

func TestBucketsAreATokenBucket(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		limit, pauses := schedule(rt)
		now := time.Unix(1_000, 0)
		buckets, reference := guard.NewBuckets(limit), newTokenBucket(limit, now)
		for i, pause := range pauses {
			now = now.Add(pause)
			ok, after := buckets.Allow("k", now)
			wantOK, wantAfter := reference.allow(now)
			require.Equal(rt, wantOK, ok, "event %d", i)
			require.Equal(rt, wantAfter, after, "event %d", i)
		}
	})
}

func TestReplicasTogetherAreOneTokenBucket(t *testing.T) {
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
		reference := newTokenBucket(limit, watch.Now())
		var two [2]*guard.Limiter
		for i := range two {
			two[i] = guard.NewLimiter(limit, clients[i], testkit.Logger(t), watch.Now)
		}
		key := rapid.StringMatching(`[a-z0-9.:/]{16}`).Draw(rt, "key")
		for i, pause := range pauses {
			watch.Move(pause)
			server.FastForward(pause) // what Redis forgets was full again
			err := two[rapid.IntRange(0, 1).Draw(rt, "replica")].Allow(t.Context(), key)
			want, _ := reference.allow(watch.Now())
			require.Equal(rt, want, err == nil, "event %d: %v", i, err)
		}
	})
}

func TestTheWaitThatIsToldIsTheShortest(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		limit, pauses := schedule(rt)
		now := time.Unix(1_000, 0)
		early, punctual := guard.NewBuckets(limit), guard.NewBuckets(limit)
		for _, pause := range pauses {
			now = now.Add(pause)
			_, after := early.Allow("k", now)
			punctual.Allow("k", now)
			if after > 0 {
				ok, _ := early.Allow("k", now.Add(after-1))
				require.False(rt, ok, "a moment too early")
				ok, _ = punctual.Allow("k", now.Add(after))
				require.True(rt, ok)
				return
			}
		}
	})
}

func TestKeysDoNotDisturbEachOther(t *testing.T) {
	t.Parallel()
	buckets := guard.NewBuckets(guard.Limit{Count: 1, Per: time.Hour, Burst: 1})
	now := time.Unix(1_000, 0)
	for i := range 100 {
		ok, _ := buckets.Allow(fmt.Sprint(i), now)
		require.True(t, ok)
		ok, _ = buckets.Allow(fmt.Sprint(i), now)
		require.False(t, ok)
	}
}

func TestACrowdOfAddressesSharesOneBucketAndIsForgottenLater(t *testing.T) {
	t.Parallel()
	buckets := guard.NewBuckets(guard.Limit{Count: 1, Per: time.Minute, Burst: 2})
	now := time.Unix(1_000, 0)
	for i := range 100_000 { // all that is kept of one limit
		ok, _ := buckets.Allow(fmt.Sprint(i), now)
		require.True(t, ok)
	}
	accepted := 0
	for i := range 1_000 {
		if ok, _ := buckets.Allow(fmt.Sprint("newcomer ", i), now); ok {
			accepted++
		}
	}
	require.Equal(t, 2, accepted, "crowded, never unlimited")
	ok, _ := buckets.Allow("7", now)
	require.True(t, ok, "who was there keeps a bucket")
	now = now.Add(2 * time.Minute)
	for i := range 1_000 {
		ok, _ := buckets.Allow(fmt.Sprint("newcomer ", i), now)
		require.True(t, ok, "full buckets are forgotten")
	}
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
