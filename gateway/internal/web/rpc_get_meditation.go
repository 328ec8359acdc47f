package web

import (
	"context"

	generationv1 "serein.app/proto/gen/serein/generation/v1"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

// GetMeditation answers one of the member's meditations. Another member's does not exist.
func (s *Screens) GetMeditation(ctx context.Context, req *webv1.GetMeditationRequest) (*webv1.GetMeditationResponse, error) {
	res, err := s.Clients.Meditations.GetMeditation(ctx, &generationv1.GetMeditationRequest{Id: req.GetId()})
	if err != nil {
		return nil, err
	}
	return &webv1.GetMeditationResponse{
		Meditation: s.catalogue.orEmpty(ctx).meditation(res.GetMeditation()),
		Segments:   segments(res.GetMeditation().GetId(), res.GetSegments()),
	}, nil
}
