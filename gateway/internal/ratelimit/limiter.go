// Package ratelimit counts the gateway's limits for all its replicas, and caps the answers of one
// process that last. What one process counts alone, and the refusals, are package guard's.
package ratelimit

import (
	"context"
	"errors"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/redis/go-redis/v9"

	"serein.app/services/platform/guard"
)

// redisPause is how long Redis is left alone after it did not answer, so that an outage does
// not cost every call a timeout.
const redisPause = time.Second

// redisTime bounds one count.
const redisTime = 2 * time.Second

// gcra counts one event in one round trip. Times are microseconds; a double holds them exactly.
// It answers 0, or the microseconds to wait.
var gcra = redis.NewScript(`
local now, interval, window = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local full = tonumber(redis.call('GET', KEYS[1]) or '0')
if full < now then full = now end
full = full + interval
if full - now > window then return full - now - window end
redis.call('SET', KEYS[1], string.format('%.0f', full), 'PX', math.ceil((full - now) / 1000) + 1)
return 0`)

// Limiter counts one limit for all replicas in Redis. While Redis is away this process's own
// count takes over: it has seen what this process let through, so an outage does not start the limits anew.
type Limiter struct {
	limit guard.Limit
	redis redis.UniversalClient
	local *guard.Buckets
	log   *slog.Logger
	now   func() time.Time
	down  atomic.Int64 // unix nanoseconds until which Redis is left alone
}

// NewLimiter makes a limiter.
func NewLimiter(l guard.Limit, rdb redis.UniversalClient, log *slog.Logger, now func() time.Time) *Limiter {
	return &Limiter{limit: l, redis: rdb, local: guard.NewBuckets(l), log: log, now: now}
}

// Allow counts one event of key. Errors: guard.ErrTooMany, with RetryAfter.
func (l *Limiter) Allow(ctx context.Context, key string) error {
	now := l.now()
	localOK, localAfter := l.local.Allow(key, now)
	after, err := l.shared(ctx, key, now)
	if err != nil {
		if !localOK {
			return guard.TooSoon(localAfter)
		}
		return nil
	}
	if after > 0 {
		return guard.TooSoon(after)
	}
	return nil
}

var errPaused = errors.New("redis is left alone for a moment")

func (l *Limiter) shared(ctx context.Context, key string, now time.Time) (time.Duration, error) {
	if now.UnixNano() < l.down.Load() {
		return 0, errPaused
	}
	bounded, cancel := context.WithTimeout(ctx, redisTime)
	defer cancel()
	interval := l.limit.Interval().Microseconds()
	micros, err := gcra.Run(bounded, l.redis, []string{"serein:limit:" + l.limit.Name + ":" + key},
		now.UnixMicro(), interval, interval*int64(l.limit.Burst)).Int64()
	if err == nil || ctx.Err() != nil {
		return time.Duration(micros) * time.Microsecond, err
	}
	if before := l.down.Swap(now.Add(redisPause).UnixNano()); before <= now.UnixNano() { // once, not for every call
		l.log.WarnContext(ctx, "rate limit counted in this process alone", "limit", l.limit.Name, "error", err)
	}
	return 0, err
}
