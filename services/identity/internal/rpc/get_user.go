package rpc

import (
	"context"

	identityv1 "serein.app/proto/gen/serein/identity/v1"
	"serein.app/services/identity/internal/account"
	"serein.app/services/platform/auth"
)

// GetUser answers the caller's own profile, and to an admin anybody's.
func (h *UserHandler) GetUser(ctx context.Context, req *identityv1.GetUserRequest) (*identityv1.GetUserResponse, error) {
	subject := auth.SubjectFrom(ctx)
	viewer := account.Viewer{UID: subject.UID, Admin: subject.Admin}
	p, err := h.accounts.Profile(ctx, viewer, req.GetUid())
	if err != nil {
		return nil, err
	}
	return &identityv1.GetUserResponse{User: userOf(p)}, nil
}
