package web

import (
	"context"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

// DeleteMeditation takes a meditation from members; for a day it can be restored.
func (s *Screens) DeleteMeditation(ctx context.Context, req *webv1.DeleteMeditationRequest) (*webv1.DeleteMeditationResponse, error) {
	res, err := s.Clients.Studio.DeleteMeditation(ctx, &contentv1.DeleteMeditationRequest{
		Id: req.GetId(),
	})
	if err != nil {
		return nil, err
	}
	return &webv1.DeleteMeditationResponse{Made: made(res.GetMade())}, nil
}
