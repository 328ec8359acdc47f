package writer

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"serein.app/services/generation/internal/brief"
	"serein.app/services/generation/internal/meditation"
	"serein.app/services/generation/internal/recording"
)

// teller passes on what a model writes, passage by passage.
type teller struct {
	brief brief.Brief
	sheet *meditation.Sheet
	// words and share are what is said, and what is left of the silence.
	words int
	share shares
	// held are the last passages of the answer, which are passed on when all are there; refused what was read of it, for its repair.
	held, refused []Passage
	faults        []brief.Fault
	// early: where the last passages begin, what is said by then is judged as a whole, so that more than the last ones can mend it.
	early bool
	// adding is why the sheet took no more.
	adding error
	// silent ends an answer of which nothing can be heard in time.
	silent *time.Timer
}

// tail is how many passages are held until the last is written: with them the words come out right, and the whole is checked before
// they are spoken. By then a listener has a minute of sound and more before them.
const tail = 4

func newTeller(b brief.Brief, sheet *meditation.Sheet) *teller {
	t := &teller{brief: b, sheet: sheet, share: shares{left: b.Pause, passages: b.Breaks}}
	for _, p := range sheet.Said {
		t.note(p)
	}
	return t
}

// note counts a passage that is said.
func (t *teller) note(p recording.Passage) {
	t.words += brief.CountWords(p.Sentences)
	t.share.left -= p.Pause
	t.share.passages--
}

func (t *teller) complete() bool { return len(t.sheet.Said) >= t.brief.Breaks }

// start forgets what was held of the last answer. The timer runs until something can be heard.
func (t *teller) start(silent *time.Timer) {
	t.held, t.refused, t.faults, t.silent = nil, nil, nil, silent
	if len(t.sheet.Said) > 0 {
		silent.Stop()
	}
}

// slowWords a minute are spoken at least, silences apart.
const slowWords = 90

// listening is how long a member listens to the whole.
func (t *teller) listening() time.Duration {
	return time.Duration(t.brief.MaxWords)*time.Minute/slowWords + t.brief.Pause
}

// errRefused ends an answer of which a passage is refused.
var errRefused = errors.New("a passage is refused")

// take passes the next passage on, or holds it where it is one of the last.
func (t *teller) take(p Passage) error {
	t.refused = append(t.refused, p)
	at := len(t.sheet.Said) + len(t.held)
	if at >= t.brief.Breaks {
		return t.refuse(brief.Fault{Reason: brief.Breaks, Say: "The script has more passages than were asked for"})
	}
	if at >= t.brief.Breaks-tail {
		t.held = append(t.held, p)
		return t.refuse(t.brief.CheckNext(t.sheet.Said, slices.Concat(p.Say, p.More))...)
	}
	said := recording.Passage{Sentences: t.fitted(p)}
	if err := t.refuse(t.check(said)...); err != nil {
		return err
	}
	return t.pass([]recording.Passage{t.rested(said, p.Long)})
}

// refuse ends the answer where there are faults.
func (t *teller) refuse(faults ...brief.Fault) error {
	if t.faults = faults; len(faults) > 0 {
		return errRefused
	}
	return nil
}

// fitted are the sentences of a passage: those that may be left out are said where the script is behind an even share of its words.
func (t *teller) fitted(p Passage) []string {
	said := slices.Clone(p.Say)
	due := t.brief.MinWords*(len(t.sheet.Said)+1)/t.brief.Breaks - t.words
	for _, more := range p.More {
		if brief.CountWords(said) >= due {
			break
		}
		said = append(said, more)
	}
	return said
}

// check judges a passage that would be spoken next.
func (t *teller) check(p recording.Passage) []brief.Fault {
	if faults := t.brief.CheckNext(t.sheet.Said, p.Sentences); len(faults) > 0 {
		return faults
	}
	if fault, strays := t.strays(t.words + brief.CountWords(p.Sentences)); strays {
		return []brief.Fault{fault}
	}
	if t.early && len(t.sheet.Said)+1 == t.brief.Breaks-tail {
		return t.brief.CheckSoFar(append(slices.Clone(t.sheet.Said), p))
	}
	return nil
}

// strays says that a script with so many words so far can hardly have as many as were asked for at its end: the passages that are left
// would have less than a third of what a passage has, or more than twice as much.
func (t *teller) strays(words int) (brief.Fault, bool) {
	left := t.brief.Breaks - len(t.sheet.Said) - 1
	share := left * (t.brief.MinWords + t.brief.MaxWords) / 2 / t.brief.Breaks
	if t.brief.MaxWords-words >= share/3 && t.brief.MinWords-words <= 2*share {
		return brief.Fault{}, false
	}
	return brief.Fault{Reason: brief.Words, Say: fmt.Sprintf("The first %d passages have %d words, and the whole has %d to %d",
		len(t.sheet.Said)+1, words, t.brief.MinWords, t.brief.MaxWords)}, true
}

// rested gives a passage its silence, and marks what may be spoken to others.
func (t *teller) rested(p recording.Passage, long bool) recording.Passage {
	share := t.share // note counts it when the passage is passed on
	p.Pause, p.Common = share.next(long), shared(t.brief, p.Sentences)
	return p
}

// pass passes passages on.
func (t *teller) pass(passages []recording.Passage) error {
	if t.adding = t.sheet.Add(passages...); t.adding != nil {
		return t.adding
	}
	if t.silent != nil {
		t.silent.Stop()
	}
	for _, p := range passages {
		t.note(p)
	}
	return nil
}

// finish fits the words with the passages that are held, judges the whole, and passes them on.
func (t *teller) finish() error {
	if n := len(t.sheet.Said) + len(t.held); n < t.brief.Breaks {
		return t.refuse(brief.Fault{Reason: brief.Breaks, Say: fmt.Sprintf("The script has %d passages; write exactly %d", n, t.brief.Breaks)})
	}
	left := t.brief
	left.MinWords, left.MaxWords = left.MinWords-t.words, left.MaxWords-t.words
	whole, share := recording.Script{Passages: slices.Clone(t.sheet.Said)}, t.share
	for i, said := range fit(left, t.held) {
		whole.Passages = append(whole.Passages, recording.Passage{Sentences: said, Common: shared(t.brief, said), Pause: share.next(t.held[i].Long)})
	}
	if err := t.refuse(t.brief.Check(whole)...); err != nil {
		return err
	}
	return t.pass(whole.Passages[len(t.sheet.Said):])
}
