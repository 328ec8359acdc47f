package rpc

import (
	"context"

	"github.com/google/uuid"
	"google.golang.org/protobuf/types/known/timestamppb"

	generationv1 "serein.app/proto/gen/serein/generation/v1"
	"serein.app/proto/gen/serein/generation/v1/generationv1connect"
	"serein.app/services/generation/internal/brief"
	"serein.app/services/generation/internal/meditation"
	"serein.app/services/platform/auth"
	"serein.app/services/platform/rpc"
)

// Drafts answers the DraftService.
type Drafts struct{ service *meditation.Service }

var _ generationv1connect.DraftServiceHandler = (*Drafts)(nil)

// NewDrafts makes a Drafts.
func NewDrafts(s *meditation.Service) *Drafts { return &Drafts{s} }

// ownDraft is the member who asks and the draft that is asked for.
func ownDraft(ctx context.Context, req interface{ GetId() string }) (uid, id uuid.UUID, err error) {
	if uid, err = auth.MemberID(ctx); err != nil {
		return uid, id, err
	}
	id, err = meditation.ParseDraftID(req.GetId())
	return uid, id, err
}

// CreateDraft has a script written.
func (h *Drafts) CreateDraft(ctx context.Context, req *generationv1.CreateDraftRequest) (*generationv1.CreateDraftResponse, error) {
	uid, err := auth.MemberID(ctx)
	if err != nil {
		return nil, err
	}
	key, err := uuid.Parse(req.GetIdempotencyKey())
	if err != nil {
		return nil, rpc.ErrInvalid.On("idempotency_key").Because(err)
	}
	d, err := h.service.CreateDraft(ctx, uid, meditation.Request{
		Title: req.GetTitle(), TypeID: req.GetTypeId(), PracticeID: req.GetPracticeId(), SizeID: req.GetSizeId(),
		Immersive: req.GetImmersive(), TrackID: req.GetTrackId(), Day: req.GetLocalDate(), Key: key,
		AskedNarratorID: req.GetNarratorId(), GivenName: req.GetGivenName(), Language: req.GetLanguage(), KeepInside: req.GetKeepInside(),
	})
	if err != nil {
		return nil, err
	}
	return &generationv1.CreateDraftResponse{Draft: toProtoDraft(d)}, nil
}

// GetDraft answers one.
func (h *Drafts) GetDraft(ctx context.Context, req *generationv1.GetDraftRequest) (*generationv1.GetDraftResponse, error) {
	uid, id, err := ownDraft(ctx, req)
	if err != nil {
		return nil, err
	}
	d, err := h.service.Draft(ctx, uid, id)
	if err != nil {
		return nil, err
	}
	return &generationv1.GetDraftResponse{Draft: toProtoDraft(d)}, nil
}

// ListDrafts answers all of the member's.
func (h *Drafts) ListDrafts(ctx context.Context, _ *generationv1.ListDraftsRequest) (*generationv1.ListDraftsResponse, error) {
	uid, err := auth.MemberID(ctx)
	if err != nil {
		return nil, err
	}
	all, err := h.service.Drafts(ctx, uid)
	if err != nil {
		return nil, err
	}
	res := &generationv1.ListDraftsResponse{}
	for _, d := range all {
		res.Drafts = append(res.Drafts, toProtoDraft(d))
	}
	return res, nil
}

// ChangeLine gives a line other words, leaves it out, or takes it back.
func (h *Drafts) ChangeLine(ctx context.Context, req *generationv1.ChangeLineRequest) (*generationv1.ChangeLineResponse, error) {
	uid, id, err := ownDraft(ctx, req)
	if err != nil {
		return nil, err
	}
	d, err := h.service.ChangeLine(ctx, uid, id, int(req.GetRevision()), int(req.GetLine()), meditation.LineChange{Text: req.Text, Dropped: req.Dropped})
	if err != nil {
		return nil, err
	}
	return &generationv1.ChangeLineResponse{Draft: toProtoDraft(d)}, nil
}

// RewriteLine has the writer say something else.
func (h *Drafts) RewriteLine(ctx context.Context, req *generationv1.RewriteLineRequest) (*generationv1.RewriteLineResponse, error) {
	uid, id, err := ownDraft(ctx, req)
	if err != nil {
		return nil, err
	}
	d, err := h.service.RewriteLine(ctx, uid, id, int(req.GetRevision()), int(req.GetLine()))
	if err != nil {
		return nil, err
	}
	return &generationv1.RewriteLineResponse{Draft: toProtoDraft(d)}, nil
}

// DeleteDraft removes one.
func (h *Drafts) DeleteDraft(ctx context.Context, req *generationv1.DeleteDraftRequest) (*generationv1.DeleteDraftResponse, error) {
	uid, id, err := ownDraft(ctx, req)
	if err != nil {
		return nil, err
	}
	return &generationv1.DeleteDraftResponse{}, h.service.DeleteDraft(ctx, uid, id)
}

func toProtoDraft(d meditation.Draft) *generationv1.Draft {
	out := &generationv1.Draft{
		Id: d.ID.String(), Revision: int32(d.Revision), Title: d.Title, TypeId: d.TypeID, PracticeId: d.PracticeID, SizeId: d.SizeID,
		Immersive: d.Immersive, TrackId: d.TrackID, NarratorName: d.NarratorName, GivenName: d.GivenName, Cost: int32(meditation.Cost(d.Immersive)),
		Words: int32(d.Script().Words), MinWords: int32(d.Brief.MinWords), MaxWords: int32(d.Brief.MaxWords),
		RewritesLeft: int32(d.RewritesLeft()), CreatedAt: timestamppb.New(d.CreatedAt), ExpiresAt: timestamppb.New(d.ExpiresAt()),
	}
	number := int32(0)
	for _, p := range d.Passages {
		passage := &generationv1.DraftPassage{PauseMs: p.Pause.Milliseconds()}
		for _, l := range p.Lines {
			number++
			passage.Lines = append(passage.Lines, &generationv1.DraftLine{
				Number: number, Text: l.Text(), Dropped: l.Dropped, Edited: l.Own != "", Written: l.Written,
			})
		}
		out.Passages = append(out.Passages, passage)
	}
	for _, p := range d.Problems() {
		out.Problems = append(out.Problems, &generationv1.DraftProblem{
			Kind: problemKind(p, d), Line: int32(p.Line), Passage: int32(p.Passage), Message: p.Message,
		})
	}
	return out
}

func problemKind(p meditation.DraftProblem, d meditation.Draft) generationv1.DraftProblemKind {
	switch p.Reason { //nolint:exhaustive // the others are of one line
	case brief.Words:
		if d.Script().Words < d.Brief.MinWords {
			return generationv1.DraftProblemKind_DRAFT_PROBLEM_KIND_TOO_FEW_WORDS
		}
		return generationv1.DraftProblemKind_DRAFT_PROBLEM_KIND_TOO_MANY_WORDS
	case brief.Breaks:
		return generationv1.DraftProblemKind_DRAFT_PROBLEM_KIND_EMPTY_PASSAGE
	case brief.Repeated:
		return generationv1.DraftProblemKind_DRAFT_PROBLEM_KIND_REPEATED
	case brief.Named:
		return generationv1.DraftProblemKind_DRAFT_PROBLEM_KIND_NAMED
	case brief.Untaught:
		return generationv1.DraftProblemKind_DRAFT_PROBLEM_KIND_UNTAUGHT
	}
	return generationv1.DraftProblemKind_DRAFT_PROBLEM_KIND_LINE
}
