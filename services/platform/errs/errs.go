// Package errs is the closed set of errors that cross a service boundary: a kind, a stable
// reason and a sentence for the public. The cause stays private and goes to the log only.
//
// It owns no transport: package rpc turns kinds into Connect codes, the gateway into words.
package errs

import (
	"errors"
	"fmt"
	"strings"
	"time"

	errorsv1 "serein.app/proto/gen/serein/errors/v1"
)

// Kind says what sort of failure it is. Callers decide by Reason, transports by Kind.
type Kind int

// The kinds. Every one has a row in package rpc's table of codes.
const (
	Internal Kind = iota
	Invalid
	Unauthenticated
	Forbidden
	NotFound
	Conflict
	FailedPrecondition
	Exhausted
	Unavailable
	DeadlineExceeded
	Canceled
)

// None is the kind of no error at all. Nothing is answered with it, so it is not in Kinds.
const None Kind = -1

// Kinds lists all kinds, for tests that must cover each.
var Kinds = []Kind{
	Internal, Invalid, Unauthenticated, Forbidden, NotFound, Conflict,
	FailedPrecondition, Exhausted, Unavailable, DeadlineExceeded, Canceled,
}

// Error is a failure with a stable reason. Declare one per reason at package level and
// return copies made by Because and On.
type Error struct {
	Kind Kind
	// Reason never changes; programs decide by it.
	Reason errorsv1.Reason
	// Public is one sentence for people, in British English.
	Public string
	// Field names the faulty field of the request; empty where none is at fault.
	Field string
	// RetryAfter is when it may go through; 0 where that is not known.
	RetryAfter time.Duration
	cause      error
}

// New declares an error.
func New(kind Kind, reason errorsv1.Reason, public string) *Error {
	return &Error{Kind: kind, Reason: reason, Public: public}
}

// Because copies e with a private cause.
func (e *Error) Because(cause error) *Error {
	c := *e
	c.cause = cause
	return &c
}

// On copies e and names the faulty field.
func (e *Error) On(field string) *Error {
	c := *e
	c.Field = field
	return &c
}

// After copies e and says when it may go through.
func (e *Error) After(d time.Duration) *Error {
	c := *e
	c.RetryAfter = d
	return &c
}

// Error is for the log; it holds the private cause.
func (e *Error) Error() string {
	if e.cause == nil {
		return e.Word() + ": " + e.Public
	}
	return fmt.Sprintf("%s: %v", e.Word(), e.cause)
}

// Unwrap gives the private cause.
func (e *Error) Unwrap() error { return e.cause }

// Is makes every copy of a declared error match it: the reason is the identity.
func (e *Error) Is(target error) bool {
	t, ok := target.(*Error)
	return ok && t.Reason == e.Reason
}

const wordPrefix = "REASON_"

// Word is the reason as it stands on the wire, for example "NOT_FOUND".
func (e *Error) Word() string { return strings.TrimPrefix(e.Reason.String(), wordPrefix) }

// ReasonOf reads a word of the wire; one that this program does not know is unspecified.
func ReasonOf(word string) errorsv1.Reason {
	return errorsv1.Reason(errorsv1.Reason_value[wordPrefix+word])
}

// Has says whether the declared error inside err has that reason.
func Has(err error, reason errorsv1.Reason) bool {
	var e *Error
	return errors.As(err, &e) && e.Reason == reason
}

var (
	// ErrInternal stands for everything that has no declared reason.
	ErrInternal = New(Internal, errorsv1.Reason_REASON_INTERNAL, "Something went wrong on our side. Please try again.")
	// ErrUnavailable stands for a part that is away, whichever it is.
	ErrUnavailable = New(Unavailable, errorsv1.Reason_REASON_UNAVAILABLE, "We can’t reach that part of Serein at the moment. Please try again.")
)

// From finds the declared error inside err, or wraps err as ErrInternal. From(nil) is nil.
func From(err error) *Error {
	if err == nil {
		return nil
	}
	var e *Error
	if errors.As(err, &e) {
		return e
	}
	return ErrInternal.Because(err)
}

// KindOf is the kind of the declared error inside err: Internal if err contains no declared error, None
// if err is nil.
func KindOf(err error) Kind {
	if err == nil {
		return None
	}
	return From(err).Kind
}
