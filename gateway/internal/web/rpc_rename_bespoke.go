package web

import (
	"context"

	generationv1 "serein.app/proto/gen/serein/generation/v1"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

// RenameBespoke gives one of the member's meditations another title.
func (s *Screens) RenameBespoke(ctx context.Context, req *webv1.RenameBespokeRequest) (*webv1.RenameBespokeResponse, error) {
	res, err := s.Clients.Meditations.RenameMeditation(ctx, &generationv1.RenameMeditationRequest{Id: req.GetId(), Title: req.GetTitle()})
	if err != nil {
		return nil, err
	}
	return &webv1.RenameBespokeResponse{Meditation: s.catalogue.orEmpty(ctx).meditation(res.GetMeditation())}, nil
}
