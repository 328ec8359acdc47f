package web

import (
	"context"

	identityv1 "serein.app/proto/gen/serein/identity/v1"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

// RemoveSecondStep turns the member's second step off.
func (s *Screens) RemoveSecondStep(ctx context.Context, req *webv1.RemoveSecondStepRequest) (*webv1.RemoveSecondStepResponse, error) {
	sid, err := s.sid(ctx)
	if err != nil {
		return nil, err
	}
	res, err := s.Clients.SecondStep.RemoveSecondStep(ctx, &identityv1.RemoveSecondStepRequest{PresentPassword: req.GetPresentPassword(), Sid: sid})
	if err != nil {
		return nil, err
	}
	return &webv1.RemoveSecondStepResponse{SecondStep: secondStep(res.GetSecondStep())}, nil
}
