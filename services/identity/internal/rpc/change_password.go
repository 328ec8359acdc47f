package rpc

import (
	"context"

	identityv1 "serein.app/proto/gen/serein/identity/v1"
	"serein.app/services/identity/internal/account"
	"serein.app/services/platform/auth"
)

// ChangePassword sets another password for a member who gives the present one.
func (h *AccountHandler) ChangePassword(ctx context.Context, req *identityv1.ChangePasswordRequest) (*identityv1.ChangePasswordResponse, error) {
	m := account.Signed{UID: auth.Member(ctx), SID: req.GetSid()}
	if err := h.accounts.ChangePassword(ctx, m, req.GetPresentPassword(), req.GetPassword()); err != nil {
		return nil, err
	}
	return &identityv1.ChangePasswordResponse{}, nil
}
