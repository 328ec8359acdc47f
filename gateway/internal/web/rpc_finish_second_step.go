package web

import (
	"context"

	identityv1 "serein.app/proto/gen/serein/identity/v1"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

// FinishSecondStep turns the member's second step on.
func (s *Screens) FinishSecondStep(ctx context.Context, req *webv1.FinishSecondStepRequest) (*webv1.FinishSecondStepResponse, error) {
	sid, err := s.sid(ctx)
	if err != nil {
		return nil, err
	}
	res, err := s.Clients.SecondStep.FinishSecondStep(ctx, &identityv1.FinishSecondStepRequest{Ceremony: req.GetCeremony(), Code: req.GetCode(), Sid: sid})
	if err != nil {
		return nil, err
	}
	return &webv1.FinishSecondStepResponse{RecoveryCodes: res.GetRecoveryCodes(), SecondStep: secondStep(res.GetSecondStep())}, nil
}
