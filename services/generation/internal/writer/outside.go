package writer

import (
	"context"
	"errors"
	"time"

	"serein.app/services/generation/internal/brief"
	"serein.app/services/platform/pause"
)

// Limits of what is asked outside.
type Limits struct {
	// AtOnce is how many scripts are written outside at once, 1 or more.
	AtOnce int
	// First is how long the first piece of an answer may take, waits for room and after refusals included; Whole how long a script
	// may take in all, with its repair.
	First, Whole time.Duration
}

const (
	// retries of a question whose answer has not begun.
	retries = 2
	// firstWait before the first retry where the vendor does not say how long; it doubles.
	firstWait = 500 * time.Millisecond
)

// Outside asks a model for passages. It is what a narrator could listen to while a script is being written.
type Outside struct {
	model  Model
	limits Limits
	room   chan struct{}
}

// NewOutside asks that model within those limits.
func NewOutside(m Model, l Limits) *Outside {
	return &Outside{model: m, limits: l, room: make(chan struct{}, max(l.AtOnce, 1))}
}

// errFirst ends a question whose answer has not begun in time.
var errFirst = errors.New("no first piece in time")

// Write asks once and emits the passages as the model writes them, at most twice as many as were asked for. The usage is that of all tries; where the
// model did not say it, it is estimated from the texts. Errors: a *ModelError, emit's own, or the end of ctx.
func (o *Outside) Write(ctx context.Context, ask Ask, passages int, emit func(Passage) error) (Usage, error) {
	return o.write(ctx, ask, func() *answer { return newAnswer(0, passages, emit) }, (*time.Timer).Stop)
}

// Stream asks once, as Write does, for the passages behind the first said ones. Somebody listens meanwhile: no piece of the answer may take
// longer than the first one may.
func (o *Outside) Stream(ctx context.Context, ask Ask, said, passages int, emit func(Passage) error) (Usage, error) {
	return o.write(ctx, ask, func() *answer { return newAnswer(said, passages, emit) }, func(t *time.Timer) bool { return t.Reset(o.limits.First) })
}

// write asks, and reads each try's answer. came is called with the timer of the first piece whenever a piece has come.
func (o *Outside) write(ctx context.Context, ask Ask, reader func() *answer, came func(*time.Timer) bool) (Usage, error) {
	begin, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	first := time.AfterFunc(o.limits.First, func() { cancel(errFirst) })
	defer first.Stop()
	select {
	case o.room <- struct{}{}:
		defer func() { <-o.room }()
	case <-begin.Done():
		return Usage{}, o.ended(ctx, begin, &ModelError{Cause: Busy, Detail: "no room"})
	}
	used := Usage{}
	for try := 0; ; try++ {
		reading := reader()
		n, err := o.once(begin, ask, reading, func() { came(first) })
		used.In, used.Out = used.In+n.In, used.Out+n.Out
		if err == nil || reading.read > 0 || try == retries || !o.mayAgain(begin, err, try) {
			return used, o.ended(ctx, begin, err)
		}
	}
}

// once asks the model and reads its answer.
func (o *Outside) once(ctx context.Context, ask Ask, reading *answer, came func()) (Usage, error) {
	used, err := o.model.Stream(ctx, ask, func(piece string) error {
		came()
		return reading.add(piece)
	})
	if err == nil {
		err = reading.end()
	}
	if used == (Usage{}) && reading.read > 0 {
		used = estimated(ask, reading.read)
	}
	return used, err
}

// mayAgain waits until the question may be asked again; it says false where that would be too late.
func (o *Outside) mayAgain(ctx context.Context, err error, try int) bool {
	var f *ModelError
	if !errors.As(err, &f) || !f.Again {
		return false
	}
	wait := f.After
	if wait == 0 {
		wait = firstWait << try
	}
	if deadline, limited := ctx.Deadline(); wait >= o.limits.First || limited && time.Until(deadline) <= wait {
		return false
	}
	return pause.For(ctx, wait) == nil
}

// ended is why a question has ended: the first piece took too long, or what the model's error says. The end of ctx itself is no
// failure of the model's.
func (o *Outside) ended(ctx, begin context.Context, err error) error {
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(context.Cause(begin), errFirst) && causeOf(err) != Busy && causeOf(err) != Limited:
		return &ModelError{Cause: Slow, Detail: "first piece"}
	}
	return err
}

// bytesAToken of plain English, on average.
const bytesAToken = 4

// estimated is the usage of a model that did not say it, as when its answer was cut off.
func estimated(ask Ask, read int) Usage {
	in := len(ask.System)
	for _, turn := range ask.Turns {
		in += len(turn)
	}
	return Usage{In: int64(in / bytesAToken), Out: int64(read / bytesAToken)}
}

// collect writes a whole script.
func (o *Outside) collect(ctx context.Context, ask Ask, b brief.Brief) (passages []Passage, used Usage, err error) {
	used, err = o.Write(ctx, ask, b.Breaks, func(p Passage) error {
		passages = append(passages, p)
		return nil
	})
	return passages, used, err
}
