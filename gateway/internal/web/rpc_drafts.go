package web

import (
	"context"

	generationv1 "serein.app/proto/gen/serein/generation/v1"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

// CreateDraft has a script written for the session's member. It is counted as Generate is, and a title that is refused is not counted.
func (s *Screens) CreateDraft(ctx context.Context, req *webv1.CreateDraftRequest) (*webv1.CreateDraftResponse, error) {
	var res *generationv1.CreateDraftResponse
	err := s.Presses.Through(ctx, memberOf(ctx).UID, req.GetTitle(), func() (err error) {
		res, err = s.Clients.Drafts.CreateDraft(ctx, &generationv1.CreateDraftRequest{
			Title: req.GetTitle(), TypeId: req.GetTypeId(), PracticeId: req.GetPracticeId(), SizeId: req.GetSizeId(),
			Immersive: req.GetImmersive(), TrackId: req.GetTrackId(), NarratorId: req.GetNarratorId(), GivenName: req.GetGivenName(),
			IdempotencyKey: req.GetIdempotencyKey(), LocalDate: req.GetLocalDate(), KeepInside: req.GetKeepInside(),
		})
		return err
	})
	if err != nil {
		return nil, err
	}
	return &webv1.CreateDraftResponse{Draft: s.catalogue.orEmpty(ctx).draft(res.GetDraft())}, nil
}

// GetDraft answers one of the member's.
func (s *Screens) GetDraft(ctx context.Context, req *webv1.GetDraftRequest) (*webv1.GetDraftResponse, error) {
	res, err := s.Clients.Drafts.GetDraft(ctx, &generationv1.GetDraftRequest{Id: req.GetId()})
	if err != nil {
		return nil, err
	}
	return &webv1.GetDraftResponse{Draft: s.catalogue.orEmpty(ctx).draft(res.GetDraft())}, nil
}

// ListDrafts answers what a note says of each of the member's.
func (s *Screens) ListDrafts(ctx context.Context, _ *webv1.ListDraftsRequest) (*webv1.ListDraftsResponse, error) {
	res, err := s.Clients.Drafts.ListDrafts(ctx, &generationv1.ListDraftsRequest{})
	if err != nil {
		return nil, err
	}
	out, catalogue := &webv1.ListDraftsResponse{}, s.catalogue.orEmpty(ctx)
	for _, d := range res.GetDrafts() {
		d.Passages, d.Problems = nil, nil
		out.Drafts = append(out.Drafts, catalogue.draft(d))
	}
	return out, nil
}

// ChangeLine gives a line other words, leaves it out, or takes it back.
func (s *Screens) ChangeLine(ctx context.Context, req *webv1.ChangeLineRequest) (*webv1.ChangeLineResponse, error) {
	res, err := s.Clients.Drafts.ChangeLine(ctx, &generationv1.ChangeLineRequest{
		Id: req.GetId(), Revision: req.GetRevision(), Line: req.GetLine(), Text: req.Text, Dropped: req.Dropped,
	})
	if err != nil {
		return nil, err
	}
	return &webv1.ChangeLineResponse{Draft: s.catalogue.orEmpty(ctx).draft(res.GetDraft())}, nil
}

// RewriteLine has the writer say something else.
func (s *Screens) RewriteLine(ctx context.Context, req *webv1.RewriteLineRequest) (*webv1.RewriteLineResponse, error) {
	res, err := s.Clients.Drafts.RewriteLine(ctx, &generationv1.RewriteLineRequest{Id: req.GetId(), Revision: req.GetRevision(), Line: req.GetLine()})
	if err != nil {
		return nil, err
	}
	return &webv1.RewriteLineResponse{Draft: s.catalogue.orEmpty(ctx).draft(res.GetDraft())}, nil
}

// DeleteDraft removes one.
func (s *Screens) DeleteDraft(ctx context.Context, req *webv1.DeleteDraftRequest) (*webv1.DeleteDraftResponse, error) {
	if _, err := s.Clients.Drafts.DeleteDraft(ctx, &generationv1.DeleteDraftRequest{Id: req.GetId()}); err != nil {
		return nil, err
	}
	return &webv1.DeleteDraftResponse{}, nil
}

// draft is one as its owner sees it.
func (c *cachedCatalogue) draft(d *generationv1.Draft) *webv1.Draft {
	out := &webv1.Draft{
		Id: d.GetId(), Revision: d.GetRevision(), Title: d.GetTitle(),
		TypeName: c.name("type", d.GetTypeId()), PracticeName: c.name("practice", d.GetPracticeId()), SizeName: c.name("size", d.GetSizeId()),
		Immersive: d.GetImmersive(), NarratorName: d.GetNarratorName(), Cost: d.GetCost(),
		Words: d.GetWords(), MinWords: d.GetMinWords(), MaxWords: d.GetMaxWords(), RewritesLeft: d.GetRewritesLeft(),
		CreatedAt: d.GetCreatedAt(), ExpiresAt: d.GetExpiresAt(),
	}
	if d.GetImmersive() {
		out.TrackName = c.trackByID[d.GetTrackId()].GetName()
	}
	for _, p := range d.GetPassages() {
		passage := &webv1.DraftPassage{PauseMs: p.GetPauseMs()}
		for _, l := range p.GetLines() {
			passage.Lines = append(passage.Lines, &webv1.DraftLine{
				Number: l.GetNumber(), Text: l.GetText(), Dropped: l.GetDropped(), Edited: l.GetEdited(), Written: l.GetWritten(),
			})
		}
		out.Passages = append(out.Passages, passage)
	}
	for _, p := range d.GetProblems() {
		out.Problems = append(out.Problems, &webv1.DraftProblem{
			Kind: problemKinds[p.GetKind()], Line: p.GetLine(), Passage: p.GetPassage(), Message: p.GetMessage(),
		})
	}
	return out
}

var problemKinds = map[generationv1.DraftProblemKind]webv1.DraftProblemKind{
	generationv1.DraftProblemKind_DRAFT_PROBLEM_KIND_TOO_FEW_WORDS:  webv1.DraftProblemKind_DRAFT_PROBLEM_KIND_TOO_FEW_WORDS,
	generationv1.DraftProblemKind_DRAFT_PROBLEM_KIND_TOO_MANY_WORDS: webv1.DraftProblemKind_DRAFT_PROBLEM_KIND_TOO_MANY_WORDS,
	generationv1.DraftProblemKind_DRAFT_PROBLEM_KIND_EMPTY_PASSAGE:  webv1.DraftProblemKind_DRAFT_PROBLEM_KIND_EMPTY_PASSAGE,
	generationv1.DraftProblemKind_DRAFT_PROBLEM_KIND_REPEATED:       webv1.DraftProblemKind_DRAFT_PROBLEM_KIND_REPEATED,
	generationv1.DraftProblemKind_DRAFT_PROBLEM_KIND_NAMED:          webv1.DraftProblemKind_DRAFT_PROBLEM_KIND_NAMED,
	generationv1.DraftProblemKind_DRAFT_PROBLEM_KIND_UNTAUGHT:       webv1.DraftProblemKind_DRAFT_PROBLEM_KIND_UNTAUGHT,
	generationv1.DraftProblemKind_DRAFT_PROBLEM_KIND_LINE:           webv1.DraftProblemKind_DRAFT_PROBLEM_KIND_LINE,
}
