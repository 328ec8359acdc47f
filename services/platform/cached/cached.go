// Package cached keeps other services' answers. A Value asks once for what many callers want to know: one question at a time,
// bounded, with a memory of failure. A Map keeps many answers by key.
package cached

import (
	"context"
	"fmt"
	"runtime/debug"
	"sync/atomic"
	"time"

	"golang.org/x/sync/singleflight"
)

// Config of a Value.
type Config[T any] struct {
	// Ask gets an answer. Its context ends after Time, and not with any of those who wait; Ask must
	// heed it.
	Ask  func(ctx context.Context) (T, error)
	Time time.Duration
	// Life is how long an answer is used before another is asked for; 0: for ever.
	Life time.Duration
	// Wait: a caller who finds the answer's life over waits for the next answer, and gets the last one only if
	// the question fails. Without Wait such a caller gets the last answer at once.
	Wait bool
	// Pause is how long after a failure the question is not asked again.
	Pause time.Duration
	Now   func() time.Time
	// Failed is called with every failure; it may be nil.
	Failed func(ctx context.Context, err error)
}

// Value is the last answer, and the next one on its way. It is safe for concurrent use.
type Value[T any] struct {
	cfg    Config[T]
	last   atomic.Pointer[answer[T]]
	asking singleflight.Group
}

// answer is never changed.
type answer[T any] struct {
	value T
	known bool  // there is a value, of this or of an earlier question
	err   error // of this question, where nothing is known
	until time.Time
}

// New makes a Value that nobody has asked for yet.
func New[T any](cfg Config[T]) *Value[T] {
	v := &Value[T]{cfg: cfg}
	v.last.Store(&answer[T]{})
	return v
}

// Get gives the answer. It gives an answer whose life is over for as long as the other side fails, and also
// while the next question is under way, unless Config.Wait is set. Before the first answer it waits for the
// question under way, no longer than ctx; within the pause after a failure it returns that failure at once.
func (v *Value[T]) Get(ctx context.Context) (T, error) {
	last := v.last.Load()
	if v.cfg.Now().Before(last.until) {
		return last.value, last.err
	}
	if last.known && v.cfg.Life == 0 {
		return last.value, nil
	}
	asked := v.asking.DoChan("", func() (any, error) { return v.ask(ctx), nil })
	if last.known && !v.cfg.Wait {
		return last.value, nil
	}
	select {
	case result := <-asked:
		got, _ := result.Val.(*answer[T])
		return got.value, got.err
	case <-ctx.Done():
		if last.known {
			return last.value, nil
		}
		var none T
		return none, context.Cause(ctx)
	}
}

// ask asks, unless somebody has since Get looked.
func (v *Value[T]) ask(ctx context.Context) *answer[T] {
	last := v.last.Load()
	if v.cfg.Now().Before(last.until) || (last.known && v.cfg.Life == 0) {
		return last
	}
	ctx = context.WithoutCancel(ctx)
	value, err := v.bounded(ctx)
	next := &answer[T]{value: value, known: true, until: v.cfg.Now().Add(v.cfg.Life)}
	if err != nil {
		if v.cfg.Failed != nil {
			v.cfg.Failed(ctx, err)
		}
		next = &answer[T]{value: last.value, known: last.known, until: v.cfg.Now().Add(v.cfg.Pause)}
		if !last.known {
			next.err = err
		}
	}
	v.last.Store(next)
	return next
}

func (v *Value[T]) bounded(ctx context.Context) (value T, err error) {
	ctx, cancel := context.WithTimeout(ctx, v.cfg.Time)
	defer cancel()
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panicked: %v\n%s", p, debug.Stack())
		}
	}()
	return v.cfg.Ask(ctx)
}
