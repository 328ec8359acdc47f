package rpc

import (
	"context"

	identityv1 "serein.app/proto/gen/serein/identity/v1"
	"serein.app/services/platform/auth"
)

// ConfirmAddressChange gives the caller the address whose codes they have.
func (h *AccountHandler) ConfirmAddressChange(ctx context.Context, req *identityv1.ConfirmAddressChangeRequest) (*identityv1.ConfirmAddressChangeResponse, error) {
	if err := h.accounts.ConfirmAddressChange(ctx, auth.Member(ctx), req.GetPresentCode(), req.GetNewCode()); err != nil {
		return nil, err
	}
	a, err := h.account(ctx)
	if err != nil {
		return nil, err
	}
	return &identityv1.ConfirmAddressChangeResponse{Account: a}, nil
}
