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

	"serein.app/services/platform/deadline"
	"serein.app/services/platform/errs"
	"serein.app/services/platform/guard"
)

// redisPause is how long Redis is left alone after it did not answer, so that an outage does
// not cost every call a timeout.
const redisPause = time.Second

// redisTime bounds one count.
var redisTime = deadline.Of(2 * time.Second)

// gcra counts one event in one round trip. Times are microseconds; a double holds them exactly.
// It answers 0, or the microseconds to wait. ARGV of both scripts: now, interval, window.
var gcra = redis.NewScript(`
local now, interval, window = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local full = tonumber(redis.call('GET', KEYS[1]) or '0')
if full < now then full = now end
full = full + interval
if full - now > window then return full - now - window end
redis.call('SET', KEYS[1], string.format('%.0f', full), 'PX', math.ceil((full - now) / 1000) + 1)
return 0`)

// gcraBack takes one event back: its bucket would be full one interval sooner.
var gcraBack = redis.NewScript(`
local now, interval = tonumber(ARGV[1]), tonumber(ARGV[2])
local full = tonumber(redis.call('GET', KEYS[1]) or '0') - interval
if full <= now then return redis.call('DEL', KEYS[1]) end
redis.call('SET', KEYS[1], string.format('%.0f', full), 'PX', math.ceil((full - now) / 1000) + 1)
return 0`)

// Limiter counts one limit for all replicas in Redis. While Redis does not answer, the process's local count is used: it has counted
// every call that this process admitted, so an outage does not reset the limits.
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
	_, err := l.count(ctx, key)
	return err
}

// GiveBack takes one event of key back that Allow has counted, where err says that what was asked for was refused: nothing was done then. A
// fault, or an answer that did not come in time, stays counted.
func (l *Limiter) GiveBack(ctx context.Context, key string, err error) {
	switch errs.KindOf(err) { //nolint:exhaustive // no other kind says that nothing was done
	case errs.Invalid, errs.NotFound, errs.Conflict, errs.FailedPrecondition:
		l.takeBack(context.WithoutCancel(ctx), key, counted{here: true, shared: true})
	}
}

// counted says who has counted an event, and so has something to take back.
type counted struct{ here, shared bool }

func (l *Limiter) count(ctx context.Context, key string) (counted, error) {
	now := l.now()
	here, hereAfter := l.local.Allow(key, now)
	after, err := l.shared(ctx, key, now)
	by := counted{here: here, shared: err == nil && after == 0}
	switch {
	case err != nil && !here:
		return by, guard.TooSoon(hereAfter)
	case err == nil && after > 0:
		return by, guard.TooSoon(after)
	}
	return by, nil
}

// Count is Allow for an event that may turn out to be none: takeBack undoes what was counted, once. It is never nil. Errors: those of
// Allow.
func (l *Limiter) Count(ctx context.Context, key string) (takeBack func(context.Context), err error) {
	by, err := l.count(ctx, key)
	return func(ctx context.Context) { l.takeBack(context.WithoutCancel(ctx), key, by) }, err
}

// takeBack undoes one event where it was counted. Where Redis has counted and not answered, or cannot be asked now, it
// stays counted: the limit errs on the strict side.
func (l *Limiter) takeBack(ctx context.Context, key string, by counted) {
	now := l.now()
	if by.here {
		l.local.TakeBack(key, now)
	}
	if !by.shared {
		return
	}
	if _, err := l.run(ctx, gcraBack, key, now); err != nil && !errors.Is(err, errPaused) {
		l.log.WarnContext(ctx, "an event that was refused stays counted", "limit", l.limit.Name, "error", err)
	}
}

var errPaused = errors.New("redis is left alone for a moment")

// shared counts one event in Redis, and gives the time to wait where there are too many.
func (l *Limiter) shared(ctx context.Context, key string, now time.Time) (time.Duration, error) {
	micros, err := l.run(ctx, gcra, key, now)
	return time.Duration(micros) * time.Microsecond, err
}

// run asks Redis one of the scripts about key, unless it is left alone.
func (l *Limiter) run(ctx context.Context, script *redis.Script, key string, now time.Time) (int64, error) {
	if now.UnixNano() < l.down.Load() {
		return 0, errPaused
	}
	bounded, cancel := context.WithTimeout(ctx, redisTime)
	defer cancel()
	interval := l.limit.Interval().Microseconds()
	answer, err := script.Run(bounded, l.redis, []string{"serein:limit:" + l.limit.Name + ":" + key},
		now.UnixMicro(), interval, interval*int64(l.limit.Burst)).Int64()
	if err == nil || ctx.Err() != nil {
		return answer, err
	}
	if before := l.down.Swap(now.Add(redisPause).UnixNano()); before <= now.UnixNano() { // once, not for every call
		l.log.WarnContext(ctx, "rate limit counted in this process alone", "limit", l.limit.Name, "error", err)
	}
	return 0, err
}
