package rpc

import (
	"context"

	"github.com/google/uuid"

	identityv1 "serein.app/proto/gen/serein/identity/v1"
	"serein.app/services/platform/auth"
)

// GetInvite says whether a referral code is a member's, and not the caller's own.
func (h *InviteHandler) GetInvite(ctx context.Context, req *identityv1.GetInviteRequest) (*identityv1.GetInviteResponse, error) {
	inviter, err := h.accounts.Inviter(ctx, req.GetCode())
	if err != nil {
		return nil, err
	}
	return &identityv1.GetInviteResponse{Known: inviter != uuid.Nil && inviter.String() != auth.Member(ctx)}, nil
}
