// Package errs is the closed set of errors that cross a service boundary: a kind, a stable
// reason and a sentence for the public. The cause stays private and goes to the log only.
//
// It owns no transport: package rpc turns kinds into Connect codes, the gateway into words.
package errs

import (
	"errors"
	"fmt"
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
	// Reason is an UPPER_SNAKE_CASE word that never changes, for programs.
	Reason string
	// Public is one sentence for people, in British English.
	Public string
	// Field names the faulty field of the request; empty where none is at fault.
	Field string
	cause error
}

// New declares an error.
func New(kind Kind, reason, public string) *Error {
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

// Error is for the log; it holds the private cause.
func (e *Error) Error() string {
	if e.cause == nil {
		return e.Reason + ": " + e.Public
	}
	return fmt.Sprintf("%s: %v", e.Reason, e.cause)
}

// Unwrap gives the private cause.
func (e *Error) Unwrap() error { return e.cause }

// Is makes every copy of a declared error match it: the reason is the identity.
func (e *Error) Is(target error) bool {
	t, ok := target.(*Error)
	return ok && t.Reason == e.Reason
}

// ErrInternal stands for everything that has no declared reason.
var ErrInternal = New(Internal, "INTERNAL", "Something went wrong on our side. Please try again.")

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

// KindOf is the kind of the declared error inside err: Internal where there is none in it, None
// where err is nil.
func KindOf(err error) Kind {
	if err == nil {
		return None
	}
	return From(err).Kind
}
