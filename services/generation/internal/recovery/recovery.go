// Package recovery turns a panic into an error, so that it ends the piece of work it happened in
// and not the process. A panic is only caught by the goroutine it happens in: each goroutine that
// does a member's work needs its own.
package recovery

import (
	"errors"
	"fmt"
	"runtime/debug"
)

// ErrPanic is in every error that was a panic.
var ErrPanic = errors.New("panic")

// ToError catches a panic of the function that defers it, and gives it as that function's error,
// with the stack: defer recovery.ToError(&err).
func ToError(err *error) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("%w: %v\n%s", ErrPanic, p, debug.Stack())
	}
}
