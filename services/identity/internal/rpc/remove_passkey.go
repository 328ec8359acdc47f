package rpc

import (
	"context"

	identityv1 "serein.app/proto/gen/serein/identity/v1"
)

// RemovePasskey takes one of the caller's passkeys away.
func (h *PasskeyHandler) RemovePasskey(ctx context.Context, req *identityv1.RemovePasskeyRequest) (*identityv1.RemovePasskeyResponse, error) {
	if err := h.passkeys.Remove(ctx, signed(ctx, req.GetSid()), sessionNamed(req.GetId()), req.GetPresentPassword()); err != nil {
		return nil, err
	}
	passkeys, err := h.list(ctx)
	if err != nil {
		return nil, err
	}
	return &identityv1.RemovePasskeyResponse{Passkeys: passkeys}, nil
}
