package rpc

import (
	"context"

	identityv1 "serein.app/proto/gen/serein/identity/v1"
	"serein.app/services/platform/auth"
)

// StopAddressChange ends the caller's change that waits.
func (h *AccountHandler) StopAddressChange(ctx context.Context, _ *identityv1.StopAddressChangeRequest) (*identityv1.StopAddressChangeResponse, error) {
	if err := h.accounts.StopAddressChange(ctx, auth.Member(ctx)); err != nil {
		return nil, err
	}
	a, err := h.account(ctx)
	if err != nil {
		return nil, err
	}
	return &identityv1.StopAddressChangeResponse{Account: a}, nil
}
