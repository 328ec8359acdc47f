package writer

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Model is a language model that somebody serves.
type Model interface {
	// Stream asks the model, and passes on the pieces of its answer in their order as they come. The usage is what the model
	// says that it has used, also beside an error; zero where it did not say. An error is a *ModelError, text's own, or ctx's.
	Stream(ctx context.Context, ask Ask, text func(piece string) error) (Usage, error)
}

// Ask is one question to a model.
type Ask struct {
	// System says what the model is to do. Turns are what was said since, the first by us; theirs and ours follow in turn.
	System string
	Turns  []string
	// MaxTokens bounds the answer.
	MaxTokens int
}

// Usage of a model, in tokens.
type Usage struct{ In, Out int64 }

// Cause is a stable word for why a script is not from outside; metrics count by it.
type Cause string

// The causes.
const (
	// Busy: as many scripts as may be were being written outside already.
	Busy Cause = "busy"
	// Limited: the vendor had no room for us (429).
	Limited Cause = "limited"
	// Away: the vendor did not answer, or answered with its own fault (5xx), or the connection broke.
	Away Cause = "away"
	// Rejected: the vendor refused the request for what it is (another 4xx): a wrong key, model or address.
	Rejected Cause = "rejected"
	// Refused: the model or the vendor's moderation refused to write.
	Refused Cause = "refused"
	// Slow: the first token or the whole took longer than it may.
	Slow Cause = "slow"
	// Half: the answer ended before the script did.
	Half Cause = "half"
	// Malformed: the answer is not in the form that was asked for.
	Malformed Cause = "malformed"
	// Faulty: the script was refused, and so was the repaired one.
	Faulty Cause = "faulty"
	// OverBudget: the day's money is spent, the service's or the member's.
	OverBudget Cause = "budget"
	// Resting: the model had failed several times in a row, and is not asked for a while.
	Resting Cause = "resting"
	// Uncounted: nobody could say whether the day's money is spent.
	Uncounted Cause = "uncounted"
)

// Causes are all of them.
var Causes = []Cause{Busy, Limited, Away, Rejected, Refused, Slow, Half, Malformed, Faulty, Resting, OverBudget, Uncounted}

// ModelError is an answer that did not come, or is of no use. Its text has no words of the vendor's, who may repeat ours.
type ModelError struct {
	Cause Cause
	// Again says that the same question may be answered later; After is how long the vendor asked us to wait, 0 where it did not say.
	Again bool
	After time.Duration
	// Detail is for the log: a status or a short word.
	Detail string
}

// Error is the cause with its detail.
func (f *ModelError) Error() string { return fmt.Sprintf("writer: %s (%s)", f.Cause, f.Detail) }

// causeOf is the cause in an error.
func causeOf(err error) Cause {
	var f *ModelError
	switch {
	case errors.As(err, &f):
		return f.Cause
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		return Slow
	}
	return Away
}
