package rpc

import (
	"context"

	identityv1 "serein.app/proto/gen/serein/identity/v1"
)

// FinishPasskey adds the passkey that the caller's browser has made.
func (h *PasskeyHandler) FinishPasskey(ctx context.Context, req *identityv1.FinishPasskeyRequest) (*identityv1.FinishPasskeyResponse, error) {
	err := h.passkeys.Finish(ctx, signed(ctx, req.GetSid()), req.GetCeremony(), req.GetCredential(), req.GetName(), req.GetUserAgent())
	if err != nil {
		return nil, err
	}
	passkeys, err := h.list(ctx)
	if err != nil {
		return nil, err
	}
	return &identityv1.FinishPasskeyResponse{Passkeys: passkeys}, nil
}
