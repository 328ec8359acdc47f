package meditation

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"

	"serein.app/services/generation/internal/brief"
)

// Drafts keeps scripts that are read before a credit is held. A draft that is older than since is not there any more.
type Drafts interface {
	// CreateDraft keeps a draft, or finds the one of the same key. ErrTooManyDrafts for a member who has MaxDrafts.
	CreateDraft(ctx context.Context, d Draft, since time.Time) (Draft, error)
	// DraftOfKey and OwnDraft find the owner's; ErrDraftNotFound.
	DraftOfKey(ctx context.Context, uid, key uuid.UUID, since time.Time) (Draft, error)
	OwnDraft(ctx context.Context, uid, id uuid.UUID, since time.Time) (Draft, error)
	// Drafts are the owner's, newest first.
	Drafts(ctx context.Context, uid uuid.UUID, since time.Time) ([]Draft, error)
	// ChangeDraft keeps the passages and the count of rewrites of the draft, which has the next revision then. ErrDraftChanged where it
	// has another revision than d.
	ChangeDraft(ctx context.Context, d Draft) (Draft, error)
	// DeleteDraft removes one if it is there; EraseDrafts removes all of a member's.
	DeleteDraft(ctx context.Context, uid, id uuid.UUID) error
	EraseDrafts(ctx context.Context, uid uuid.UUID) error
}

// CreateDraft has a script written, and holds nothing. The same key with the same request answers the same draft. Errors: those of Create
// about title and choices; ErrIdempotencyKeyReused; ErrTooManyDrafts; ErrWriting.
func (s *Service) CreateDraft(ctx context.Context, uid uuid.UUID, r Request) (Draft, error) {
	m, err := s.plan(ctx, uid, r)
	if err != nil {
		return Draft{}, err
	}
	found, err := s.Store.DraftOfKey(ctx, uid, r.Key, s.draftsSince())
	if !errors.Is(err, ErrDraftNotFound) {
		return sameDraft(found, m, err)
	}
	others, err := s.Store.Drafts(ctx, uid, s.draftsSince())
	if err != nil {
		return Draft{}, err
	}
	if len(others) >= MaxDrafts {
		return Draft{}, ErrTooManyDrafts
	}
	if m.Past, m.Tellable, err = s.Store.SpokenLately(ctx, m, RememberedScripts); err != nil {
		return Draft{}, err
	}
	written, err := s.writeDraft(ctx, m)
	if err != nil {
		return Draft{}, err
	}
	kept, err := s.Store.CreateDraft(ctx, written, s.draftsSince())
	return sameDraft(kept, m, err)
}

// draftTries is how often a script is written until one has no problem. A script of Serein's own writer that has one is rare.
const draftTries = 5

// writeDraft has a script written that may be narrated as it is. Another try has another seed.
func (s *Service) writeDraft(ctx context.Context, m Meditation) (Draft, error) {
	d := Draft{ID: m.ID, UID: m.UID, Request: m.Request, Brief: m.Brief, Revision: 1, NarratorName: m.NarratorName, CreatedAt: m.CreatedAt}
	for try := range draftTries {
		if try > 0 {
			m.Day = fmt.Sprintf("%s, %d", d.Day, try)
		}
		script, err := s.Writer.Write(ctx, m)
		if err != nil {
			return Draft{}, ErrWriting.Because(err)
		}
		if d.Passages = draftOf(script); len(d.Problems()) == 0 {
			return d, nil
		}
	}
	return Draft{}, ErrWriting
}

// sameDraft answers a draft of the request's key, unless it is one of another request.
func sameDraft(d Draft, m Meditation, err error) (Draft, error) {
	if err == nil && !d.same(m.Request) {
		err = ErrIdempotencyKeyReused
	}
	return d, err
}

// Draft answers the owner's. ErrDraftNotFound.
func (s *Service) Draft(ctx context.Context, uid, id uuid.UUID) (Draft, error) {
	return s.Store.OwnDraft(ctx, uid, id, s.draftsSince())
}

// Drafts are the owner's, newest first.
func (s *Service) Drafts(ctx context.Context, uid uuid.UUID) ([]Draft, error) {
	return s.Store.Drafts(ctx, uid, s.draftsSince())
}

// DeleteDraft removes the owner's draft, if it is there.
func (s *Service) DeleteDraft(ctx context.Context, uid, id uuid.UUID) error {
	return s.Store.DeleteDraft(ctx, uid, id)
}

// LineChange is what becomes of a line; nil where that stays as it is.
type LineChange struct {
	Text    *string
	Dropped *bool
}

// ChangeLine changes one line of a revision. A line that is refused changes nothing and is not kept. Errors: ErrDraftNotFound,
// ErrDraftChanged, ErrLineNotFound; those of refusedLines.
func (s *Service) ChangeLine(ctx context.Context, uid, id uuid.UUID, revision, number int, change LineChange) (Draft, error) {
	d, passage, line, err := s.draftAt(ctx, uid, id, revision, number)
	if err != nil {
		return Draft{}, err
	}
	own := d.Passages[passage].Lines[line].Own
	if change.Text != nil {
		if own, err = d.ownLine(*change.Text, d.Passages[passage].Lines[line].Written); err != nil {
			return Draft{}, err
		}
	}
	changed, err := s.Store.ChangeDraft(ctx, d.with(passage, func(lines []DraftLine) {
		lines[line].Own = own
		if change.Dropped != nil {
			lines[line].Dropped = *change.Dropped
		}
	}))
	return changed, err
}

// draftAt finds a line of a revision.
func (s *Service) draftAt(ctx context.Context, uid, id uuid.UUID, revision, number int) (d Draft, passage, line int, err error) {
	if d, err = s.Store.OwnDraft(ctx, uid, id, s.draftsSince()); err != nil {
		return d, 0, 0, err
	}
	if d.Revision != revision {
		return d, 0, 0, ErrDraftChanged
	}
	passage, line, found := d.at(number)
	if !found {
		return d, 0, 0, ErrLineNotFound
	}
	return d, passage, line, nil
}

// planDraft makes the meditation that narrates a draft. Its title and its choices are judged again, since rules and the catalogue may
// have changed; the words are those that the member has read. Errors: those of plan; ErrDraftNotFound, ErrDraftChanged, ErrDraftUnfit.
func (s *Service) planDraft(ctx context.Context, uid uuid.UUID, r Request) (Meditation, error) {
	d, err := s.Store.OwnDraft(ctx, uid, r.DraftID, s.draftsSince())
	if err != nil {
		return Meditation{}, err
	}
	if d.Revision != r.DraftRevision {
		return Meditation{}, ErrDraftChanged
	}
	if len(d.Problems()) > 0 {
		return Meditation{}, ErrDraftUnfit
	}
	chosen := d.Request
	chosen.Key, chosen.DraftID, chosen.DraftRevision = r.Key, r.DraftID, r.DraftRevision
	m, err := s.plan(ctx, uid, chosen)
	if err != nil {
		return Meditation{}, err
	}
	script := d.Script()
	m.Brief, m.Prepared, m.Words = d.Brief, script.Passages, script.Words
	m.PassagesTotal = s.Recorder.Segments(script)
	m.Expected = expect(script, s.narrator(m.NarratorID, m.Immersive), nil)
	return m, nil
}

// narrated answers the meditation that the same request began of a draft, which is gone since; ErrNotFound.
func (s *Service) narrated(ctx context.Context, uid uuid.UUID, r Request) (Meditation, error) {
	found, err := s.Store.Requested(ctx, uid, r.Key)
	if err == nil && (found.DraftID != r.DraftID || found.DraftRevision != r.DraftRevision) {
		return Meditation{}, ErrIdempotencyKeyReused
	}
	return found, err
}

// draftsSince is when the drafts were written at the earliest that are still there.
func (s *Service) draftsSince() time.Time { return s.Now().Add(-DraftLife) }

// ownLine is what a member writes in the place of a line, as it is said; empty where that is what the writer wrote. Errors: those of refusedLines.
func (d Draft) ownLine(text, written string) (string, error) {
	if brief.Tidied(text) == written {
		return "", nil
	}
	sentences, fault := d.asked().Line(text)
	if fault != "" {
		return "", refusedLines[fault]
	}
	return strings.Join(sentences, " "), nil
}
