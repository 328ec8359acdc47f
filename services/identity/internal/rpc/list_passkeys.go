package rpc

import (
	"context"

	identityv1 "serein.app/proto/gen/serein/identity/v1"
)

// ListPasskeys answers the caller's passkeys.
func (h *PasskeyHandler) ListPasskeys(ctx context.Context, _ *identityv1.ListPasskeysRequest) (*identityv1.ListPasskeysResponse, error) {
	passkeys, err := h.list(ctx)
	if err != nil {
		return nil, err
	}
	return &identityv1.ListPasskeysResponse{Passkeys: passkeys}, nil
}
