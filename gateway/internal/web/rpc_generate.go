package web

import (
	"context"

	generationv1 "serein.app/proto/gen/serein/generation/v1"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

// Generate starts a meditation for the session's member and answers with the credits that are left: the request cannot name a member. A
// title that is refused is not counted, and comes before the limit: a member at the limit gets words of care too.
func (s *Screens) Generate(ctx context.Context, req *webv1.GenerateRequest) (*webv1.GenerateResponse, error) {
	var res *generationv1.CreateMeditationResponse
	press := s.Presses.Through
	if req.GetDraftId() != "" {
		press = s.Presses.OfDraft // the title was judged when the draft was written, and generation judges it again
	}
	err := press(ctx, memberOf(ctx).UID, req.GetTitle(), func() (err error) {
		res, err = s.Clients.Meditations.CreateMeditation(ctx, &generationv1.CreateMeditationRequest{
			Title: req.GetTitle(), TypeId: req.GetTypeId(), PracticeId: req.GetPracticeId(), SizeId: req.GetSizeId(),
			Immersive: req.GetImmersive(), TrackId: req.GetTrackId(), NarratorId: req.GetNarratorId(), GivenName: req.GetGivenName(),
			IdempotencyKey: req.GetIdempotencyKey(), LocalDate: req.GetLocalDate(), KeepInside: req.GetKeepInside(),
			DraftId: req.GetDraftId(), DraftRevision: req.GetDraftRevision(),
		})
		return err
	})
	if err != nil {
		return nil, err
	}
	return &webv1.GenerateResponse{
		Meditation: s.catalogue.orEmpty(ctx).meditation(res.GetMeditation()),
		Credits:    s.creditsAfter(ctx, res.GetBalance()),
	}, nil
}
