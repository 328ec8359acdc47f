package rpc

import (
	"context"

	identityv1 "serein.app/proto/gen/serein/identity/v1"
)

// ResendConfirmationCode replaces the code; unknown usernames get the same answer.
func (h *SignUpHandler) ResendConfirmationCode(ctx context.Context, req *identityv1.ResendConfirmationCodeRequest) (*identityv1.ResendConfirmationCodeResponse, error) {
	_, here, err := h.signedUpHere(ctx, req.GetUsername(), req.GetProof())
	if err != nil {
		return nil, err
	}
	if here {
		err = h.accounts.ResendProved(ctx, req.GetAddress(), req.GetUsername())
	} else {
		err = h.registry.Resend(ctx, req.GetAddress(), req.GetUsername())
	}
	if err != nil {
		return nil, err
	}
	return &identityv1.ResendConfirmationCodeResponse{}, nil
}
