package guard_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"serein.app/services/platform/guard"
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

// requireTokenBucket compares buckets with the textbook's, whatever is done to them before each event.
func requireTokenBucket(rt *rapid.T, before func(b *guard.Buckets, now time.Time)) {
	limit, pauses := schedule(rt)
	now := time.Unix(1_000, 0)
	buckets, reference := guard.NewBuckets(limit), newTokenBucket(limit, now)
	for i, pause := range pauses {
		now = now.Add(pause)
		before(buckets, now)
		ok, after := buckets.Allow("k", now)
		wantOK, wantAfter := reference.allow(now)
		require.Equal(rt, wantOK, ok, "event %d", i)
		require.Equal(rt, wantAfter, after, "event %d", i)
	}
}

func TestBucketsAreATokenBucket(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) { requireTokenBucket(rt, func(*guard.Buckets, time.Time) {}) })
}

func TestWhatIsTakenBackWasNeverCounted(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		requireTokenBucket(rt, func(b *guard.Buckets, now time.Time) {
			if !rapid.Bool().Draw(rt, "taken back") {
				return
			}
			if ok, _ := b.Allow("k", now); ok {
				b.TakeBack("k", now)
			}
		})
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

func TestAsManyAreAllowedAsAreSaidToBeLeft(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		l := guard.Limit{Count: rapid.IntRange(1, 60).Draw(rt, "count"), Per: time.Second, Burst: rapid.IntRange(1, 60).Draw(rt, "burst")}
		b, now := guard.NewBuckets(l), time.Unix(1_000_000, 0)
		for range rapid.IntRange(0, 100).Draw(rt, "events") {
			b.Allow("a", now)
			now = now.Add(time.Duration(rapid.IntRange(0, 50_000_000).Draw(rt, "pause")))
		}
		left := b.Left("a", now)
		for range left {
			allowed, _ := b.Allow("a", now)
			require.True(rt, allowed)
		}
		allowed, _ := b.Allow("a", now)
		require.False(rt, allowed)
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

func TestInACrowdAnEventIsTakenBackFromTheBucketThatAllShare(t *testing.T) {
	t.Parallel()
	buckets := guard.NewBuckets(guard.Limit{Count: 1, Per: time.Minute, Burst: 2})
	now := time.Unix(1_000, 0)
	for i := range 100_000 { // all that is kept of one limit
		buckets.Allow(fmt.Sprint(i), now)
	}
	for _, key := range []string{"newcomer", "another"} {
		ok, _ := buckets.Allow(key, now)
		require.True(t, ok)
	}
	buckets.TakeBack("newcomer", now)
	ok, _ := buckets.Allow("a third", now)
	require.True(t, ok)
	ok, _ = buckets.Allow("a fourth", now)
	require.False(t, ok)
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

func TestBucketsNeverLetMoreThroughThanTheyPromise(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		l := guard.Limit{
			Count: rapid.IntRange(1, 50).Draw(rt, "count"), Per: time.Second, Burst: rapid.IntRange(1, 20).Draw(rt, "burst"),
		}
		b := guard.NewBuckets(l)
		start := time.Unix(1_000, 0)
		now, accepted := start, 0
		for _, step := range rapid.SliceOfN(rapid.IntRange(0, 300), 1, 200).Draw(rt, "steps") {
			now = now.Add(time.Duration(step) * time.Millisecond)
			if ok, after := b.Allow("k", now); ok {
				accepted++
			} else {
				require.Positive(rt, after)
			}
		}
		most := l.Burst + int(now.Sub(start)/(l.Per/time.Duration(l.Count))) + 1
		require.LessOrEqual(rt, accepted, most)
		require.GreaterOrEqual(rt, accepted, 1)
	})
}
