// Package writer has scripts written by a language model outside, and by Serein's own writer wherever that does not work out.
//
// It refuses to pass on a script that brief.Check refuses: the model may mend it once. A member waits no longer than the limits
// say, spends no more than the budget, and is never told which writer it was. Titles and names are data to the model (prompt.go).
// It stores nothing, and its log has no words of a member's.
package writer

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/sony/gobreaker/v2"

	"serein.app/services/generation/internal/brief"
	"serein.app/services/generation/internal/budget"
	"serein.app/services/generation/internal/meditation"
	"serein.app/services/generation/internal/recording"
	"serein.app/services/generation/internal/recovery"
)

// Budget is the money that may be spent on scripts in a day, in all and for the member that ctx names.
type Budget interface {
	// Room answers budget.ErrOver where the day has no room for so much.
	Room(ctx context.Context, cost budget.Cost) error
	// Spend counts what was spent.
	Spend(ctx context.Context, cost budget.Cost) error
}

// Metrics count what operators need to know of outside writers.
type Metrics interface {
	// Written counts a script by who wrote it: ByModel, Mended, or the Cause for which Serein's own writer did.
	Written(ctx context.Context, outcome string)
	// ScriptRefused counts a script of a model's that Check refused, once for each reason.
	ScriptRefused(ctx context.Context, reason string)
	// MendedMidway counts a script of which some was spoken when it failed, by who wrote the rest: RestByModel or RestByBuiltIn.
	MendedMidway(ctx context.Context, by string)
	// WriterSpent counts money.
	WriterSpent(ctx context.Context, cost budget.Cost)
}

// What Written counts beside causes.
const (
	// ByModel: the model's script was good.
	ByModel = "model"
	// Mended: the model's script was good at the second time.
	Mended = "mended"
)

// Prices of a model in the currency for a million tokens.
type Prices struct{ In, Out float64 }

// cost of a usage. What a million tokens cost in the currency, one costs in its millionths.
func (p Prices) cost(u Usage) budget.Cost {
	return budget.Cost(float64(u.In)*p.In + float64(u.Out)*p.Out)
}

// Ports of a Writer.
type Ports struct {
	Outside *Outside
	// BuiltIn writes what the model does not.
	BuiltIn meditation.Writer
	Budget  Budget
	Prices  Prices
	// Leaves says that what the model is asked leaves Serein. It then writes nothing that a member keeps inside.
	Leaves  bool
	Metrics Metrics
	Log     *slog.Logger
	// Streamed: scripts are passed on while the model writes them.
	Streamed bool
}

// Writer has scripts written outside.
type Writer struct {
	Ports
	breaker *gobreaker.CircuitBreaker[attempt]
}

var _ meditation.Writer = (*Writer)(nil)

// failures in a row and the model is not asked during rest: while it is away or slow, members do not wait for it one after the other.
const failures, rest = 5, 30 * time.Second

// New makes a Writer.
func New(p Ports) *Writer {
	return &Writer{Ports: p, breaker: gobreaker.NewCircuitBreaker[attempt](gobreaker.Settings{
		Name: "writer outside", Timeout: rest,
		ReadyToTrip:  func(c gobreaker.Counts) bool { return c.ConsecutiveFailures >= failures },
		IsSuccessful: saysNothing,
	})}
}

// saysNothing is for errors that say nothing about whether the next script would be written: the work was stopped, the title was refused, or
// there was no room here.
func saysNothing(err error) bool {
	if err == nil || errors.Is(err, context.Canceled) {
		return true
	}
	cause := causeOf(err)
	return cause == Refused || cause == Busy
}

// attempt is what a model wrote, the script that was made of it, and why that is refused.
type attempt struct {
	passages []Passage
	script   recording.Script
	faults   []brief.Fault
}

// countingTime bounds what is written down after a script: the model was paid whether or not the work goes on.
const countingTime = 3 * time.Second

// Write has the model write what the meditation's brief asks for, or else the built-in writer. Errors: those of the built-in
// writer, and the end of ctx.
func (w *Writer) Write(ctx context.Context, m meditation.Meditation) (recording.Script, error) {
	if w.Leaves && m.KeepInside {
		return w.BuiltIn.Write(ctx, m)
	}
	s, outcome, err := w.outside(ctx, m)
	if err == nil {
		w.Metrics.Written(ctx, outcome)
		return s, nil
	}
	if ctx.Err() != nil {
		return recording.Script{}, ctx.Err()
	}
	cause := causeOf(err)
	w.Metrics.Written(ctx, string(cause))
	w.Log.WarnContext(ctx, "the built-in writer writes instead", "meditation", m.ID, "cause", string(cause), "error", err)
	return w.BuiltIn.Write(ctx, m)
}

// outside has the model write, and mend once what Check refuses. A panic of a vendor's client is an error like others.
func (w *Writer) outside(ctx context.Context, m meditation.Meditation) (s recording.Script, outcome string, err error) {
	defer recovery.ToError(&err)
	ctx = budget.ForMember(ctx, m.UID)
	b := w.briefOf(m)
	ask := askFor(b)
	if err := w.room(ctx, ask); err != nil {
		return s, "", err
	}
	ctx, cancel := context.WithTimeout(ctx, atMost(ctx, w.Outside.limits.Whole))
	defer cancel()
	first, err := w.try(ctx, m, b, ask)
	if err != nil || len(first.faults) == 0 {
		return first.script, ByModel, err
	}
	second, err := w.try(ctx, m, b, ask.again(first.passages, first.faults))
	if err == nil && len(second.faults) > 0 {
		err = &ModelError{Cause: Faulty, Detail: string(second.faults[0].Reason)}
	}
	return second.script, Mended, err
}

// room says whether the day's budget has room for a script that takes all tokens it may.
func (w *Writer) room(ctx context.Context, ask Ask) error {
	most := estimated(ask, 0)
	most.Out = int64(ask.MaxTokens)
	err := w.Budget.Room(ctx, w.Prices.cost(most))
	switch {
	case errors.Is(err, budget.ErrOver):
		return &ModelError{Cause: OverBudget, Detail: "spent"}
	case err != nil:
		return &ModelError{Cause: Uncounted, Detail: err.Error()}
	}
	return nil
}

// atMost is how long the model has: no more than half of what is left for the meditation, so that the built-in writer and the
// narrator keep their time.
func atMost(ctx context.Context, limit time.Duration) time.Duration {
	if deadline, limited := ctx.Deadline(); limited {
		limit = min(limit, time.Until(deadline)/2)
	}
	return limit
}

// try asks once, unless the model has failed too often lately.
func (w *Writer) try(ctx context.Context, m meditation.Meditation, b brief.Brief, ask Ask) (attempt, error) {
	return w.execute(func() (attempt, error) { return w.ask(ctx, m, b, ask) })
}

// execute has the breaker let a question through, and count its end.
func (w *Writer) execute(question func() (attempt, error)) (attempt, error) {
	a, err := w.breaker.Execute(question)
	if errors.Is(err, gobreaker.ErrOpenState) || errors.Is(err, gobreaker.ErrTooManyRequests) {
		err = &ModelError{Cause: Resting, Detail: err.Error()}
	}
	return a, err
}

// ask asks, pays and judges.
func (w *Writer) ask(ctx context.Context, m meditation.Meditation, b brief.Brief, ask Ask) (a attempt, err error) {
	var used Usage
	a.passages, used, err = w.Outside.collect(ctx, ask, b)
	w.pay(ctx, m, used)
	if err != nil {
		return attempt{}, err
	}
	a.script = assemble(b, a.passages)
	a.faults = b.Check(a.script)
	w.countFaults(ctx, a.faults)
	return a, nil
}

// countFaults counts each reason for which a script is refused once.
func (w *Writer) countFaults(ctx context.Context, faults []brief.Fault) {
	counted := map[brief.Reason]bool{}
	for _, f := range faults {
		if !counted[f.Reason] {
			counted[f.Reason] = true
			w.Metrics.ScriptRefused(ctx, string(f.Reason))
		}
	}
}

// pay counts what was used, also when the work has ended meanwhile.
func (w *Writer) pay(ctx context.Context, m meditation.Meditation, used Usage) {
	cost := w.Prices.cost(used)
	if cost == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), countingTime)
	defer cancel()
	w.Metrics.WriterSpent(ctx, cost)
	if err := w.Budget.Spend(ctx, cost); err != nil {
		w.Log.ErrorContext(ctx, "what a writer cost cannot be counted", "meditation", m.ID, "millionths", int64(cost), "error", err)
	}
}

// briefOf is what a meditation asks of a writer.
func (w *Writer) briefOf(m meditation.Meditation) brief.Brief {
	asked := m.Asked()
	if asked.Tellable = m.Past; w.Leaves {
		asked.Tellable = m.Tellable
	}
	return asked
}
