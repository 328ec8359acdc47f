package meditation

import (
	"context"
	"slices"

	"github.com/google/uuid"

	"serein.app/services/generation/internal/brief"
)

// RewriteLine has the writer say something else in the place of a line and of those that belong to it. A line of the member's own, or one
// that is left out, is the writer's again and said. It adds no problem to the draft. Errors: ErrDraftNotFound, ErrDraftChanged,
// ErrLineNotFound, ErrRewritesSpent, ErrLineAlone.
func (s *Service) RewriteLine(ctx context.Context, uid, id uuid.UUID, revision, number int) (Draft, error) {
	d, passage, line, err := s.draftAt(ctx, uid, id, revision, number)
	if err != nil {
		return Draft{}, err
	}
	if d.RewritesLeft() == 0 {
		return Draft{}, ErrRewritesSpent
	}
	written := make([]string, len(d.Passages[passage].Lines))
	for i, l := range d.Passages[passage].Lines {
		if l.Own == "" || i == line {
			written[i] = l.Written // the member's own lines stay
		}
	}
	inner := passage > 0 && passage < len(d.Passages)-1
	first, count, instead, err := s.Rewriter.Another(Meditation{Request: d.Request}, written, line, inner)
	if err != nil {
		return Draft{}, ErrWriting.Because(err)
	}
	rewritten, ok := d.rewritten(passage, line, first, count, instead)
	if !ok {
		return Draft{}, ErrLineAlone
	}
	return s.Store.ChangeDraft(ctx, rewritten)
}

// rewritten puts the first thought that fits in the place of some lines, of which one is asked for, beginning elsewhere among them each time, so that asking again
// does not answer the same few. False where none fits.
func (d Draft) rewritten(passage, asked, first, count int, instead [][]string) (Draft, bool) {
	before := countedBy(d.Problems())
	for i := range instead {
		thought := instead[(i+d.Rewrites)%len(instead)]
		if d.holds(thought[0]) {
			continue
		}
		next := d.with(passage, func(lines []DraftLine) { replace(lines[first:first+count], asked-first, thought) })
		next.Rewrites++
		if countedBy(next.Problems()).within(before) {
			return next, true
		}
	}
	return Draft{}, false
}

// replace puts the sentences of a thought in the place of lines. Of the others than the one that is asked for, those stay left out that were.
// What the thought is shorter by is left out.
func replace(lines []DraftLine, asked int, thought []string) {
	for i, l := range lines {
		if i < len(thought) {
			lines[i] = DraftLine{Written: thought[i], Common: true, Dropped: l.Dropped && i != asked}
			continue
		}
		lines[i].Own, lines[i].Dropped = "", true
	}
}

// holds says that a sentence was written somewhere in the draft.
func (d Draft) holds(sentence string) bool {
	return slices.ContainsFunc(d.Passages, func(p DraftPassage) bool {
		return slices.ContainsFunc(p.Lines, func(l DraftLine) bool { return l.Written == sentence })
	})
}

// reasons counts problems by their reason.
type reasons map[brief.Reason]int

func countedBy(problems []DraftProblem) reasons {
	counted := reasons{}
	for _, p := range problems {
		counted[p.Reason]++
	}
	return counted
}

// within says that there is no problem more of any reason.
func (r reasons) within(before reasons) bool {
	for reason, n := range r {
		if n > before[reason] {
			return false
		}
	}
	return true
}
