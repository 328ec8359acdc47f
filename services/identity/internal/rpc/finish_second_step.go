package rpc

import (
	"context"

	identityv1 "serein.app/proto/gen/serein/identity/v1"
)

// FinishSecondStep turns the caller's second step on.
func (h *SecondStepHandler) FinishSecondStep(ctx context.Context, req *identityv1.FinishSecondStepRequest) (*identityv1.FinishSecondStepResponse, error) {
	codes, err := h.second.Finish(ctx, signed(ctx, req.GetSid()), req.GetCeremony(), req.GetCode())
	if err != nil {
		return nil, err
	}
	state, err := h.state(ctx)
	if err != nil {
		return nil, err
	}
	return &identityv1.FinishSecondStepResponse{RecoveryCodes: codes, SecondStep: state}, nil
}
