package rpc

import (
	"context"

	identityv1 "serein.app/proto/gen/serein/identity/v1"
	"serein.app/services/platform/auth"
)

// GetUser answers for the member named by the caller's token, and for nobody else.
func (h *UserHandler) GetUser(ctx context.Context, _ *identityv1.GetUserRequest) (*identityv1.GetUserResponse, error) {
	a, err := h.accounts.ByUID(ctx, auth.Member(ctx))
	if err != nil {
		return nil, err
	}
	return &identityv1.GetUserResponse{User: &identityv1.User{
		Uid: a.UID.String(), Username: a.Username, Email: a.Email,
		GivenName: a.GivenName, FamilyName: a.FamilyName, Admin: a.Admin,
	}}, nil
}
