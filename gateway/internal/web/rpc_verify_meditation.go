package web

import (
	"context"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

// VerifyMeditation lets members hear a meditation.
func (s *Screens) VerifyMeditation(ctx context.Context, req *webv1.VerifyMeditationRequest) (*webv1.VerifyMeditationResponse, error) {
	res, err := s.Clients.Studio.VerifyMeditation(ctx, &contentv1.VerifyMeditationRequest{
		Id: req.GetId(),
	})
	if err != nil {
		return nil, err
	}
	return &webv1.VerifyMeditationResponse{Made: made(res.GetMade())}, nil
}
