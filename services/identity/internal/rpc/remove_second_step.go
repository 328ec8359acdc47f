package rpc

import (
	"context"

	identityv1 "serein.app/proto/gen/serein/identity/v1"
)

// RemoveSecondStep turns the caller's second step off.
func (h *SecondStepHandler) RemoveSecondStep(ctx context.Context, req *identityv1.RemoveSecondStepRequest) (*identityv1.RemoveSecondStepResponse, error) {
	if err := h.second.Remove(ctx, signed(ctx, req.GetSid()), req.GetPresentPassword()); err != nil {
		return nil, err
	}
	state, err := h.state(ctx)
	if err != nil {
		return nil, err
	}
	return &identityv1.RemoveSecondStepResponse{SecondStep: state}, nil
}
