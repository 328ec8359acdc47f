package gateway

import (
	"context"

	errorsv1 "serein.app/proto/gen/serein/errors/v1"
	generationv1 "serein.app/proto/gen/serein/generation/v1"
	"serein.app/services/platform/errs"
)

// draftFake has a draft for each meditation of a member, with its id.
type draftFake struct{ *services }

var errNoDraft = errs.New(errs.NotFound, errorsv1.Reason_REASON_DRAFT_NOT_FOUND, "This script isn’t here any more.")

func (f draftFake) draft(ctx context.Context, id string, revision int32, text string) (*generationv1.Draft, error) {
	if _, err := f.own(ctx, id); err != nil {
		return nil, errNoDraft
	}
	return aDraft(revision, "A night", text), nil
}

func aDraft(revision int32, title, text string) *generationv1.Draft {
	return &generationv1.Draft{
		Id: mine, Revision: revision, Title: title, TypeId: "gratitude", PracticeId: "zen", SizeId: "reset", Immersive: true, TrackId: "rain",
		Passages: []*generationv1.DraftPassage{{
			Lines:   []*generationv1.DraftLine{{Number: 1, Text: text, Written: "Welcome.", Edited: text != "Welcome."}, {Number: 2, Text: "Sit.", Written: "Sit.", Dropped: true}},
			PauseMs: 2500,
		}},
		Problems: []*generationv1.DraftProblem{{Kind: generationv1.DraftProblemKind_DRAFT_PROBLEM_KIND_TOO_FEW_WORDS, Message: "Say a little more."}},
		Words:    1, MinWords: 350, MaxWords: 380, RewritesLeft: 30, Cost: 2,
	}
}

func (draftFake) CreateDraft(_ context.Context, req *generationv1.CreateDraftRequest) (*generationv1.CreateDraftResponse, error) {
	return &generationv1.CreateDraftResponse{Draft: aDraft(1, req.GetTitle(), "Welcome.")}, nil
}

func (f draftFake) GetDraft(ctx context.Context, req *generationv1.GetDraftRequest) (*generationv1.GetDraftResponse, error) {
	d, err := f.draft(ctx, req.GetId(), 1, "Welcome.")
	return &generationv1.GetDraftResponse{Draft: d}, err
}

func (f draftFake) ListDrafts(ctx context.Context, _ *generationv1.ListDraftsRequest) (*generationv1.ListDraftsResponse, error) {
	d, err := f.draft(ctx, mine, 1, "Welcome.")
	if err != nil {
		return &generationv1.ListDraftsResponse{}, nil //nolint:nilerr // a member without drafts
	}
	return &generationv1.ListDraftsResponse{Drafts: []*generationv1.Draft{d}}, nil
}

func (f draftFake) ChangeLine(ctx context.Context, req *generationv1.ChangeLineRequest) (*generationv1.ChangeLineResponse, error) {
	d, err := f.draft(ctx, req.GetId(), req.GetRevision()+1, req.GetText())
	return &generationv1.ChangeLineResponse{Draft: d}, err
}

func (f draftFake) RewriteLine(ctx context.Context, req *generationv1.RewriteLineRequest) (*generationv1.RewriteLineResponse, error) {
	d, err := f.draft(ctx, req.GetId(), req.GetRevision()+1, "Be welcome.")
	return &generationv1.RewriteLineResponse{Draft: d}, err
}

func (draftFake) DeleteDraft(context.Context, *generationv1.DeleteDraftRequest) (*generationv1.DeleteDraftResponse, error) {
	return &generationv1.DeleteDraftResponse{}, nil
}
