package rpc

import (
	"context"

	identityv1 "serein.app/proto/gen/serein/identity/v1"
)

// ResendConfirmationCode replaces the code; unknown usernames get the same answer.
func (h *SignUpHandler) ResendConfirmationCode(ctx context.Context, req *identityv1.ResendConfirmationCodeRequest) (*identityv1.ResendConfirmationCodeResponse, error) {
	if err := h.registry.Resend(ctx, req.GetAddress(), req.GetUsername()); err != nil {
		return nil, err
	}
	return &identityv1.ResendConfirmationCodeResponse{}, nil
}
