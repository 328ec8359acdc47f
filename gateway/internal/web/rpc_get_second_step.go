package web

import (
	"context"

	identityv1 "serein.app/proto/gen/serein/identity/v1"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

// GetSecondStep answers how the member's second step stands.
func (s *Screens) GetSecondStep(ctx context.Context, _ *webv1.GetSecondStepRequest) (*webv1.GetSecondStepResponse, error) {
	res, err := s.Clients.SecondStep.GetSecondStep(ctx, &identityv1.GetSecondStepRequest{})
	if err != nil {
		return nil, err
	}
	return &webv1.GetSecondStepResponse{SecondStep: secondStep(res.GetSecondStep())}, nil
}

func secondStep(from *identityv1.SecondStep) *webv1.SecondStep {
	return &webv1.SecondStep{OnSince: from.GetOnSince(), RecoveryCodesLeft: from.GetRecoveryCodesLeft()}
}
