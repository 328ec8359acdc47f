package writer

import (
	"context"
	"errors"
	"time"

	"serein.app/services/generation/internal/budget"
	"serein.app/services/generation/internal/meditation"
	"serein.app/services/generation/internal/recovery"
)

// Who wrote the rest of a script of which some was spoken already; MendedMidway counts by it.
const (
	RestByModel   = "model"
	RestByBuiltIn = "built-in"
)

var _ meditation.Streamer = (*Writer)(nil)

// Streams says that the meditation's script is passed on while a model writes it. Only the language that the built-in writer
// writes is streamed: it must be able to write the rest. What its member keeps inside no model outside writes.
func (w *Writer) Streams(m meditation.Meditation) bool {
	if w.Leaves && m.KeepInside {
		return false
	}
	_, rest := w.BuiltIn.(meditation.RestWriter)
	return w.Streamed && rest && m.Language == meditation.Language
}

// Stream has the model write the script, and adds each passage to the sheet as soon as it may be spoken. As long as the sheet is
// empty, what fails is written once more by the model where it answered at all, or else by the built-in writer, the whole. Once it has a
// passage, the model is asked for the rest, once, and then the built-in writer writes the rest. Errors: those of the sheet and of the
// built-in writer, and the end of ctx.
func (w *Writer) Stream(ctx context.Context, m meditation.Meditation, sheet *meditation.Sheet) error {
	t := newTeller(w.briefOf(m), sheet)
	if t.complete() {
		return nil
	}
	outcome, err := w.tell(budget.ForMember(ctx, m.UID), m, t)
	switch {
	case t.adding != nil:
		return t.adding
	case ctx.Err() != nil:
		return ctx.Err()
	case err == nil:
		w.Metrics.Written(ctx, outcome)
		return nil
	}
	cause := causeOf(err)
	w.Metrics.Written(ctx, string(cause))
	w.Log.WarnContext(ctx, "the built-in writer writes instead", "meditation", m.ID, "cause", string(cause), "passages", len(t.sheet.Said), "error", err)
	return w.builtIn(ctx, m, t)
}

// builtIn has the built-in writer write the whole, or the rest where some is spoken.
func (w *Writer) builtIn(ctx context.Context, m meditation.Meditation, t *teller) error {
	if len(t.sheet.Said) > 0 {
		w.Metrics.MendedMidway(ctx, RestByBuiltIn)
		rest, err := w.BuiltIn.(meditation.RestWriter).Rest(m, t.sheet.Said)
		if err != nil {
			return err
		}
		return t.pass(rest)
	}
	s, err := w.BuiltIn.Write(ctx, m)
	if err != nil {
		return err
	}
	return t.pass(s.Passages)
}

// tell has the model write, as often as it may be asked. A panic of a vendor's client is an error like others.
func (w *Writer) tell(ctx context.Context, m meditation.Meditation, t *teller) (outcome string, err error) {
	defer recovery.ToError(&err)
	if len(t.sheet.Said) == 0 {
		if outcome, err = w.begin(ctx, m, t); err == nil || len(t.sheet.Said) == 0 {
			return outcome, err
		}
	}
	switch {
	case t.adding != nil || ctx.Err() != nil:
		return "", err
	case t.sheet.Asked:
		return "", errors.Join(err, &ModelError{Cause: Half, Detail: "the model was asked for the rest already"})
	}
	if t.adding = t.sheet.Ask(); t.adding != nil {
		return "", t.adding
	}
	t.early = false
	if err = w.part(ctx, m, t, askFor(t.brief).rest(t.brief, t.sheet.Said, t.words, t.faults)); err == nil {
		w.Metrics.MendedMidway(ctx, RestByModel)
	}
	return Mended, err
}

// begin asks for the whole, and once more where the answer is refused before any of it is passed on. Of an answer in another form nothing was
// read that could be mended: then the question is the same.
func (w *Writer) begin(ctx context.Context, m meditation.Meditation, t *teller) (outcome string, err error) {
	ask := askFor(t.brief)
	t.early = true
	if err = w.part(ctx, m, t, ask); err == nil || len(t.sheet.Said) > 0 || !answered(err) {
		return ByModel, err
	}
	if len(t.faults) > 0 && len(t.refused) > 0 {
		ask = ask.again(t.refused, t.faults)
	}
	return Mended, w.part(ctx, m, t, ask)
}

// answered says that a model that failed so has answered, in whatever way.
func answered(err error) bool {
	cause := causeOf(err)
	return cause == Faulty || cause == Half || cause == Malformed
}

// part asks once, adds what may be spoken, and pays. As long as nobody hears anything the model has the time of a whole script, and then
// as long as it takes to listen. The breaker counts no passage that is refused: the model has answered.
func (w *Writer) part(ctx context.Context, m meditation.Meditation, t *teller, ask Ask) error {
	if err := w.room(ctx, ask); err != nil {
		return err
	}
	asking, cancel := context.WithTimeout(ctx, atMost(ctx, t.listening()))
	defer cancel()
	t.start(time.AfterFunc(atMost(ctx, w.Outside.limits.Whole), cancel))
	defer t.silent.Stop()
	_, err := w.execute(func() (attempt, error) {
		used, err := w.Outside.Stream(asking, ask, len(t.sheet.Said), t.brief.Breaks, t.take)
		w.pay(ctx, m, used)
		if err != nil && asking.Err() != nil && ctx.Err() == nil {
			err = &ModelError{Cause: Slow, Detail: "whole"}
		}
		if err == nil {
			err = t.finish()
		}
		if t.adding != nil || len(t.faults) > 0 {
			err = nil
		}
		return attempt{}, err
	})
	w.countFaults(ctx, t.faults)
	switch {
	case t.adding != nil:
		return t.adding
	case len(t.faults) > 0:
		return &ModelError{Cause: Faulty, Detail: string(t.faults[0].Reason)}
	}
	return err
}
