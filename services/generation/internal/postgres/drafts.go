package postgres

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"serein.app/services/generation/internal/meditation"
	"serein.app/services/generation/internal/postgres/sqlcgen"
	"serein.app/services/platform/postgres"
)

// CreateDraft keeps a draft, or finds the one of the same key.
func (s *Store) CreateDraft(ctx context.Context, d meditation.Draft, since time.Time) (kept meditation.Draft, err error) {
	params := sqlcgen.CreateDraftParams{
		ID: d.ID, Uid: d.UID, IdempotencyKey: d.Key, CreatedAt: d.CreatedAt, Since: since, Most: meditation.MaxDrafts,
	}
	if params.Request, params.Brief, params.Passages, err = fromDraft(d); err != nil {
		return kept, err
	}
	err = postgres.InTx(ctx, s.db, func(ctx context.Context, tx pgx.Tx) error {
		if err := s.queries.LockMember(ctx, tx, d.UID.String()); err != nil {
			return err
		}
		row, err := s.queries.CreateDraft(ctx, tx, params)
		if errors.Is(err, pgx.ErrNoRows) {
			return meditation.ErrTooManyDrafts
		}
		if err != nil {
			return err
		}
		kept, err = toDraft(row)
		return err
	})
	return kept, translate(err)
}

// DraftOfKey finds the owner's draft of a request.
func (s *Store) DraftOfKey(ctx context.Context, uid, key uuid.UUID, since time.Time) (meditation.Draft, error) {
	return oneDraft(s.queries.DraftOfKey(ctx, s.db, sqlcgen.DraftOfKeyParams{Uid: uid, IdempotencyKey: key, Since: since}))
}

// OwnDraft finds the owner's draft.
func (s *Store) OwnDraft(ctx context.Context, uid, id uuid.UUID, since time.Time) (meditation.Draft, error) {
	return oneDraft(s.queries.OwnDraft(ctx, s.db, sqlcgen.OwnDraftParams{ID: id, Uid: uid, Since: since}))
}

func oneDraft(row sqlcgen.Draft, err error) (meditation.Draft, error) {
	if errors.Is(err, pgx.ErrNoRows) {
		return meditation.Draft{}, meditation.ErrDraftNotFound.Because(err)
	}
	if err != nil {
		return meditation.Draft{}, translate(err)
	}
	return toDraft(row)
}

// Drafts are the owner's, newest first.
func (s *Store) Drafts(ctx context.Context, uid uuid.UUID, since time.Time) ([]meditation.Draft, error) {
	rows, err := s.queries.DraftsOf(ctx, s.db, sqlcgen.DraftsOfParams{Uid: uid, Since: since, Most: meditation.MaxDrafts})
	if err != nil {
		return nil, translate(err)
	}
	all := make([]meditation.Draft, len(rows))
	for i, r := range rows {
		if all[i], err = toDraft(r); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// ChangeDraft keeps the lines of a draft that has still the revision of d.
func (s *Store) ChangeDraft(ctx context.Context, d meditation.Draft) (meditation.Draft, error) {
	passages, err := fromDraftPassages(d.Passages)
	if err != nil {
		return meditation.Draft{}, err
	}
	row, err := s.queries.ChangeDraft(ctx, s.db, sqlcgen.ChangeDraftParams{
		ID: d.ID, Uid: d.UID, Revision: int32(d.Revision), Passages: passages, Rewrites: int32(d.Rewrites),
	})
	if errors.Is(err, pgx.ErrNoRows) {
		return meditation.Draft{}, meditation.ErrDraftChanged.Because(err)
	}
	if err != nil {
		return meditation.Draft{}, translate(err)
	}
	return toDraft(row)
}

// DeleteDraft removes the owner's draft if it is there.
func (s *Store) DeleteDraft(ctx context.Context, uid, id uuid.UUID) error {
	return translate(s.queries.DeleteDraft(ctx, s.db, sqlcgen.DeleteDraftParams{ID: id, Uid: uid}))
}

// EraseDrafts removes all of a member's.
func (s *Store) EraseDrafts(ctx context.Context, uid uuid.UUID) error {
	return translate(s.queries.EraseDrafts(ctx, s.db, uid))
}

// takeDraft gives the request the script of its draft.
func (s *Store) takeDraft(ctx context.Context, tx pgx.Tx, m meditation.Meditation) error {
	passages, err := fromPassages(m.Prepared)
	if err != nil {
		return err
	}
	taken, err := s.queries.TakeDraft(ctx, tx, sqlcgen.TakeDraftParams{
		ID: m.DraftID, Uid: m.UID, Revision: int32(m.DraftRevision), TakenBy: m.ID, Since: m.CreatedAt.Add(-meditation.DraftLife),
	})
	if err == nil && taken == 0 {
		err = meditation.ErrDraftChanged
	}
	if err != nil {
		return err
	}
	if err := s.queries.SaveScript(ctx, tx, sqlcgen.SaveScriptParams{MeditationID: m.ID, Passages: passages}); err != nil {
		return err
	}
	return s.queries.Prepare(ctx, tx, sqlcgen.PrepareParams{ID: m.ID, Words: int32(m.Words), PassagesTotal: int32(m.PassagesTotal)})
}

// draftRequest, draftPassage and draftLine are the shapes of the jsonb columns. The brief is that of meditations.
type draftRequest struct {
	Title        string `json:"title"`
	TypeID       string `json:"type"`
	PracticeID   string `json:"practice"`
	SizeID       string `json:"size"`
	Immersive    bool   `json:"immersive"`
	TrackID      string `json:"track,omitzero"`
	NarratorID   string `json:"asked_narrator,omitzero"`
	NarratorName string `json:"narrator_name"`
	Language     string `json:"language"`
	Day          string `json:"day"`
	KeepInside   bool   `json:"keep_inside,omitzero"`
}

type draftPassage struct {
	Lines   []draftLine `json:"lines"`
	PauseUs int64       `json:"pause_us"`
}

type draftLine struct {
	Written string `json:"written"`
	Common  bool   `json:"common,omitzero"`
	Own     string `json:"own,omitzero"`
	Dropped bool   `json:"dropped,omitzero"`
}

func fromDraft(d meditation.Draft) (request, brief, passages []byte, err error) {
	request, err = json.Marshal(draftRequest{
		Title: d.Title, TypeID: d.TypeID, PracticeID: d.PracticeID, SizeID: d.SizeID, Immersive: d.Immersive, TrackID: d.TrackID,
		NarratorID: d.AskedNarratorID, NarratorName: d.NarratorName, Language: d.Language, Day: d.Day, KeepInside: d.KeepInside,
	})
	if err != nil {
		return nil, nil, nil, err
	}
	if brief, err = fromBrief(meditation.Meditation{Request: d.Request, Brief: d.Brief}); err != nil {
		return nil, nil, nil, err
	}
	passages, err = fromDraftPassages(d.Passages)
	return request, brief, passages, err
}

func fromDraftPassages(passages []meditation.DraftPassage) ([]byte, error) {
	rows := make([]draftPassage, len(passages))
	for i, p := range passages {
		rows[i] = draftPassage{PauseUs: p.Pause.Microseconds(), Lines: make([]draftLine, len(p.Lines))}
		for j, l := range p.Lines {
			rows[i].Lines[j] = draftLine(l)
		}
	}
	return json.Marshal(rows)
}

func toDraft(r sqlcgen.Draft) (meditation.Draft, error) {
	brief, own, err := toBrief(r.Brief)
	if err != nil {
		return meditation.Draft{}, err
	}
	var asked draftRequest
	if err := json.Unmarshal(r.Request, &asked); err != nil {
		return meditation.Draft{}, fmt.Errorf("request: %w", err)
	}
	var rows []draftPassage
	if err := json.Unmarshal(r.Passages, &rows); err != nil {
		return meditation.Draft{}, fmt.Errorf("passages: %w", err)
	}
	d := meditation.Draft{
		ID: r.ID, UID: r.Uid, Brief: brief, Revision: int(r.Revision), Rewrites: int(r.Rewrites),
		NarratorName: asked.NarratorName, CreatedAt: r.CreatedAt.UTC(), Passages: make([]meditation.DraftPassage, len(rows)),
		Request: meditation.Request{
			Title: asked.Title, TypeID: asked.TypeID, PracticeID: asked.PracticeID, SizeID: asked.SizeID, Immersive: asked.Immersive,
			TrackID: asked.TrackID, AskedNarratorID: asked.NarratorID, GivenName: own.GivenName, Language: asked.Language, Day: asked.Day,
			Key: r.IdempotencyKey, KeepInside: asked.KeepInside,
		},
	}
	for i, p := range rows {
		d.Passages[i] = meditation.DraftPassage{Pause: micros(p.PauseUs), Lines: make([]meditation.DraftLine, len(p.Lines))}
		for j, l := range p.Lines {
			d.Passages[i].Lines[j] = meditation.DraftLine(l)
		}
	}
	return d, nil
}
