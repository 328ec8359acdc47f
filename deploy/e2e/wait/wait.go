// Package wait holds how the tests from outside wait: how long, how often they ask, and when they give up.
package wait

import (
	"context"
	"errors"
	"fmt"
	"time"

	"serein.app/services/platform/pause"
)

// Patience bounds one answer, one start and one wait for a state, never a whole test: a machine that is busy, or stands
// still for 20 seconds, is no fault.
const Patience = 5 * time.Minute

// A state that comes at once is seen at once, and a long wait leaves the processors to what is waited for.
const shortest, longest = 20 * time.Millisecond, 250 * time.Millisecond

// FinalError is an error that another attempt would not change.
type FinalError struct{ Err error }

func (f FinalError) Error() string { return f.Err.Error() }
func (f FinalError) Unwrap() error { return f.Err }

// Until makes attempts until one works, one fails with a FinalError, or ctx ends. It then gives ctx's cause and the last
// error that was not merely the end of a time limit.
func Until(ctx context.Context, attempt func(context.Context) error) error {
	var last error
	for rest := shortest; ; rest = min(rest*5/4, longest) {
		err := attempt(ctx)
		if err == nil || errors.As(err, new(FinalError)) {
			return err
		}
		if last == nil || !errors.Is(err, context.DeadlineExceeded) {
			last = err
		}
		if pause.For(ctx, rest) != nil {
			return fmt.Errorf("%w; before that: %w", context.Cause(ctx), last)
		}
	}
}
