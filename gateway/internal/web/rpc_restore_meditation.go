package web

import (
	"context"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

// RestoreMeditation takes a deletion back.
func (s *Screens) RestoreMeditation(ctx context.Context, req *webv1.RestoreMeditationRequest) (*webv1.RestoreMeditationResponse, error) {
	res, err := s.Clients.Studio.RestoreMeditation(ctx, &contentv1.RestoreMeditationRequest{
		Id: req.GetId(),
	})
	if err != nil {
		return nil, err
	}
	return &webv1.RestoreMeditationResponse{Made: made(res.GetMade())}, nil
}
