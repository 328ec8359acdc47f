package rpc

import (
	"context"

	identityv1 "serein.app/proto/gen/serein/identity/v1"
	"serein.app/services/identity/internal/account"
	"serein.app/services/platform/auth"
)

// BeginAddressChange sends the codes of a change of address.
func (h *AccountHandler) BeginAddressChange(ctx context.Context, req *identityv1.BeginAddressChangeRequest) (*identityv1.BeginAddressChangeResponse, error) {
	m := account.Signed{UID: auth.Member(ctx), SID: req.GetSid()}
	if _, err := h.accounts.BeginAddressChange(ctx, m, req.GetPresentPassword(), req.GetEmail()); err != nil {
		return nil, err
	}
	a, err := h.account(ctx)
	if err != nil {
		return nil, err
	}
	return &identityv1.BeginAddressChangeResponse{Account: a}, nil
}
