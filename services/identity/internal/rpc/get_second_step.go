package rpc

import (
	"context"

	identityv1 "serein.app/proto/gen/serein/identity/v1"
)

// GetSecondStep answers how the caller's second step stands.
func (h *SecondStepHandler) GetSecondStep(ctx context.Context, _ *identityv1.GetSecondStepRequest) (*identityv1.GetSecondStepResponse, error) {
	state, err := h.state(ctx)
	if err != nil {
		return nil, err
	}
	return &identityv1.GetSecondStepResponse{SecondStep: state}, nil
}
