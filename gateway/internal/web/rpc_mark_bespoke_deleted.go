package web

import (
	"context"

	generationv1 "serein.app/proto/gen/serein/generation/v1"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

// MarkBespokeDeleted has one of the member's meditations removed after 14 days, until when it can be recovered.
func (s *Screens) MarkBespokeDeleted(ctx context.Context, req *webv1.MarkBespokeDeletedRequest) (*webv1.MarkBespokeDeletedResponse, error) {
	res, err := s.Clients.Meditations.MarkMeditationDeleted(ctx, &generationv1.MarkMeditationDeletedRequest{Id: req.GetId()})
	if err != nil {
		return nil, err
	}
	return &webv1.MarkBespokeDeletedResponse{Meditation: s.catalogue.orEmpty(ctx).meditation(res.GetMeditation())}, nil
}
