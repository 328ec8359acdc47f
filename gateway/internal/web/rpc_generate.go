package web

import (
	"context"

	generationv1 "serein.app/proto/gen/serein/generation/v1"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

// Generate starts a meditation and answers with the credits that are left. For whom is the
// session's to say: the request cannot name a member. The title is judged before the request is
// counted: a member at the limit hears words of care too, and is not counted for them.
func (s *Screens) Generate(ctx context.Context, req *webv1.GenerateRequest) (*webv1.GenerateResponse, error) {
	if _, err := s.CheckTitle(ctx, &webv1.CheckTitleRequest{Title: req.GetTitle()}); err != nil {
		return nil, err
	}
	if err := s.Limits.Generate.Allow(ctx, memberOf(ctx).UID); err != nil {
		return nil, err
	}
	res, err := s.Clients.Meditations.CreateMeditation(ctx, &generationv1.CreateMeditationRequest{
		Title: req.GetTitle(), TypeId: req.GetTypeId(), PracticeId: req.GetPracticeId(), SizeId: req.GetSizeId(),
		Immersive: req.GetImmersive(), TrackId: req.GetTrackId(),
		IdempotencyKey: req.GetIdempotencyKey(), LocalDate: req.GetLocalDate(),
	})
	if err != nil {
		return nil, err
	}
	return &webv1.GenerateResponse{
		Meditation: s.catalogue.orEmpty(ctx).meditation(res.GetMeditation()),
		Credits:    s.creditsOr(ctx, res.GetBalance()),
	}, nil
}
