package rpc

import (
	"context"

	identityv1 "serein.app/proto/gen/serein/identity/v1"
)

// ConfirmSignUp ends the sign-up with the mailed code.
func (h *SignUpHandler) ConfirmSignUp(ctx context.Context, req *identityv1.ConfirmSignUpRequest) (*identityv1.ConfirmSignUpResponse, error) {
	if err := h.registry.Confirm(ctx, req.GetAddress(), req.GetUsername(), req.GetCode()); err != nil {
		return nil, err
	}
	return &identityv1.ConfirmSignUpResponse{}, nil
}
