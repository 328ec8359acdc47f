package session

import (
	"context"
	"errors"
	"log/slog"
	"sync/atomic"
	"time"
)

// outagePause is how long Redis is left alone after it did not answer: those who come meanwhile are
// told at once, and not after checkTimeout each.
const outagePause = time.Second

var errPaused = errors.New("redis is left alone for a moment")

// outage is what is known of a Redis that does not answer. It is logged when it begins and when it
// ends, not with every call.
type outage struct {
	log   *slog.Logger
	now   func() time.Time
	until atomic.Int64 // unix nanoseconds until which Redis is left alone; 0: it answers
}

// paused says whether Redis is to be left alone.
func (o *outage) paused() bool { return o.now().UnixNano() < o.until.Load() }

// note takes the outcome of a question to Redis.
func (o *outage) note(ctx context.Context, err error) {
	if !errors.Is(err, ErrUnsure) {
		if o.until.Load() != 0 && o.until.Swap(0) != 0 {
			o.log.InfoContext(ctx, "sessions can be checked again")
		}
		return
	}
	if o.until.Swap(o.now().Add(outagePause).UnixNano()) == 0 {
		o.log.ErrorContext(ctx, "sessions cannot be checked", "error", err)
	}
}
