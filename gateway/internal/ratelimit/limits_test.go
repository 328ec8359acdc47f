package ratelimit_test

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"serein.app/gateway/internal/ratelimit"
	"serein.app/services/platform/guard"
	"serein.app/services/testkit"
	"serein.app/services/testkit/clock"
	"serein.app/services/testkit/redistest"
)

var tenAnHour = guard.Limit{Name: "test", Count: 10, Per: time.Hour, Burst: 5}

type replicas struct {
	clock *clock.Clock
	redis *redistest.Server
	two   [2]*ratelimit.Limiter
}

func setup(t *testing.T, l guard.Limit) *replicas {
	t.Helper()
	r := &replicas{clock: clock.New(), redis: redistest.New(t)}
	for i := range r.two {
		rdb := redis.NewClient(&redis.Options{Addr: r.redis.Addr(), MaxRetries: -1, DialerRetries: 1, DisableIdentity: true})
		t.Cleanup(func() { _ = rdb.Close() })
		r.two[i] = ratelimit.NewLimiter(l, rdb, testkit.Logger(t), r.clock.Now)
	}
	return r
}

// accepted counts how many of n calls pass, made on both replicas by eight callers at once.
func (r *replicas) accepted(t *testing.T, n int) int {
	t.Helper()
	var ok, made atomic.Int64
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			for made.Add(1) <= int64(n) {
				if r.two[i%2].Allow(t.Context(), "192.0.2.7") == nil {
					ok.Add(1)
				}
			}
		})
	}
	all.Wait()
	return int(ok.Load())
}

func TestTwoReplicasTogetherLetTheLimitThrough(t *testing.T) {
	t.Parallel()
	r := setup(t, tenAnHour)
	require.Equal(t, 5, r.accepted(t, 1000))
	r.clock.Move(6 * time.Minute)
	require.Equal(t, 1, r.accepted(t, 100), "one more after a tenth of the hour")
	r.clock.Move(time.Hour)
	require.Equal(t, 5, r.accepted(t, 1000))
}

func TestWithoutRedisEachReplicaCountsAlone(t *testing.T) {
	t.Parallel()
	r := setup(t, tenAnHour)
	r.redis.Close()
	for _, replica := range r.two {
		accepted := 0
		for range 100 {
			if replica.Allow(t.Context(), "192.0.2.7") == nil {
				accepted++
			}
		}
		require.Equal(t, 5, accepted, "never unlimited")
	}
}

func TestALossOfRedisDoesNotStartTheLimitsAnew(t *testing.T) {
	t.Parallel()
	r := setup(t, tenAnHour)
	for range 5 {
		require.NoError(t, r.two[0].Allow(t.Context(), "a"))
	}
	r.redis.Close()
	require.ErrorIs(t, r.two[0].Allow(t.Context(), "a"), guard.ErrTooMany)
	require.NoError(t, r.two[0].Allow(t.Context(), "b"), "others go on")
}

func TestARefusalSaysWhenToComeBack(t *testing.T) {
	t.Parallel()
	r := setup(t, tenAnHour)
	require.Equal(t, 5, r.accepted(t, 5))
	err := r.two[0].Allow(t.Context(), "192.0.2.7")
	require.ErrorIs(t, err, guard.ErrTooMany)
	require.Equal(t, "360", guard.RetryAfter(err))
	require.Empty(t, guard.RetryAfter(context.Canceled))
}
