package rpc

import (
	"context"

	identityv1 "serein.app/proto/gen/serein/identity/v1"
)

// NewRecoveryCodes replaces the caller's recovery codes.
func (h *SecondStepHandler) NewRecoveryCodes(ctx context.Context, req *identityv1.NewRecoveryCodesRequest) (*identityv1.NewRecoveryCodesResponse, error) {
	codes, err := h.second.NewRecoveryCodes(ctx, signed(ctx, req.GetSid()), req.GetPresentPassword())
	if err != nil {
		return nil, err
	}
	state, err := h.state(ctx)
	if err != nil {
		return nil, err
	}
	return &identityv1.NewRecoveryCodesResponse{RecoveryCodes: codes, SecondStep: state}, nil
}
