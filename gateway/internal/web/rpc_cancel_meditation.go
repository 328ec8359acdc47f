package web

import (
	"context"

	generationv1 "serein.app/proto/gen/serein/generation/v1"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

// CancelMeditation stops the work for the price that the member has accepted, and answers with the credits as they
// then stand.
func (s *Screens) CancelMeditation(ctx context.Context, req *webv1.CancelMeditationRequest) (*webv1.CancelMeditationResponse, error) {
	res, err := s.Clients.Meditations.CancelMeditation(ctx, &generationv1.CancelMeditationRequest{
		Id: req.GetId(), AcceptedPrice: req.GetAcceptedPrice(),
	})
	if err != nil {
		return nil, err
	}
	return &webv1.CancelMeditationResponse{
		Meditation: s.catalogue.orEmpty(ctx).meditation(res.GetMeditation()),
		Credits:    s.creditsAfter(ctx, nil),
	}, nil
}
