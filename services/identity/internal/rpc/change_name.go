package rpc

import (
	"context"

	identityv1 "serein.app/proto/gen/serein/identity/v1"
	"serein.app/services/platform/auth"
)

// ChangeName changes what the caller is called.
func (h *AccountHandler) ChangeName(ctx context.Context, req *identityv1.ChangeNameRequest) (*identityv1.ChangeNameResponse, error) {
	if _, err := h.accounts.ChangeName(ctx, auth.Member(ctx), req.GetGivenName(), req.GetFamilyName()); err != nil {
		return nil, err
	}
	a, err := h.account(ctx)
	if err != nil {
		return nil, err
	}
	return &identityv1.ChangeNameResponse{Account: a}, nil
}
