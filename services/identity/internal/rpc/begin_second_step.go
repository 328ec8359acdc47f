package rpc

import (
	"context"

	identityv1 "serein.app/proto/gen/serein/identity/v1"
)

// BeginSecondStep answers what the caller needs to set their app up.
func (h *SecondStepHandler) BeginSecondStep(ctx context.Context, req *identityv1.BeginSecondStepRequest) (*identityv1.BeginSecondStepResponse, error) {
	begun, err := h.second.Begin(ctx, signed(ctx, req.GetSid()), req.GetPresentPassword())
	if err != nil {
		return nil, err
	}
	return &identityv1.BeginSecondStepResponse{Ceremony: begun.Sealed, Secret: begun.Secret, Address: begun.Address}, nil
}
