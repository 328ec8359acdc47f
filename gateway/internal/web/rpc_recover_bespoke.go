package web

import (
	"context"

	generationv1 "serein.app/proto/gen/serein/generation/v1"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

// RecoverBespoke takes the mark back.
func (s *Screens) RecoverBespoke(ctx context.Context, req *webv1.RecoverBespokeRequest) (*webv1.RecoverBespokeResponse, error) {
	res, err := s.Clients.Meditations.RecoverMeditation(ctx, &generationv1.RecoverMeditationRequest{Id: req.GetId()})
	if err != nil {
		return nil, err
	}
	return &webv1.RecoverBespokeResponse{Meditation: s.catalogue.orEmpty(ctx).meditation(res.GetMeditation())}, nil
}
