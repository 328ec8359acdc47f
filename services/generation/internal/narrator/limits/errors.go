package limits

import (
	"fmt"
	"time"
)

// Kind of a failure, a word of the metric.
type Kind string

// The kinds of failures.
const (
	Refused    Kind = "refused"     // the vendor does not take the request, and would not take it again
	Overloaded Kind = "overloaded"  // it has no room now
	Broken     Kind = "broken"      // it does not answer, or its answer is not the speech of the text
	Resting    Kind = "resting"     // it has failed too often in a row, and no recording begins for a while
	OverBudget Kind = "over_budget" // the day's budget has no room for the recording
)

// Error is why a vendor's narrator said nothing. It has no text that was to be spoken, no address and no key.
type Error struct {
	Kind Kind
	// RetryAfter is how long the vendor asks to wait; 0 where it does not say.
	RetryAfter time.Duration
	// Free says that the vendor has answered with a refusal, so that it charges nothing. Otherwise nobody knows.
	Free  bool
	cause error
}

// Error says what happened.
func (e *Error) Error() string { return fmt.Sprintf("outside speech (%s): %v", e.Kind, e.cause) }

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.cause }

// Break is an Error of an answer, or of a call without one, that is not the speech of the text.
func Break(format string, args ...any) error {
	return &Error{Kind: Broken, cause: fmt.Errorf(format, args...)}
}

// Status is the Error of an HTTP status that is not 200; why may be nil.
func Status(code int, retryAfter time.Duration, why error) error {
	e := &Error{Kind: Refused, RetryAfter: retryAfter, Free: true, cause: fmt.Errorf("it answers %d", code)}
	if why != nil {
		e.cause = fmt.Errorf("it answers %d: %w", code, why)
	}
	switch {
	case code == 429 || code == 503 || code == 529:
		e.Kind = Overloaded
	case code >= 500 || code == 408:
		e.Kind = Broken
	}
	return e
}
