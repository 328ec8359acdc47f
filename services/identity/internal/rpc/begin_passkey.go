package rpc

import (
	"context"

	identityv1 "serein.app/proto/gen/serein/identity/v1"
)

// BeginPasskey answers what the caller's browser needs to make a passkey.
func (h *PasskeyHandler) BeginPasskey(ctx context.Context, req *identityv1.BeginPasskeyRequest) (*identityv1.BeginPasskeyResponse, error) {
	ceremony, options, err := h.passkeys.Begin(ctx, signed(ctx, req.GetSid()), req.GetPresentPassword())
	if err != nil {
		return nil, err
	}
	return &identityv1.BeginPasskeyResponse{Ceremony: ceremony, Options: options}, nil
}
