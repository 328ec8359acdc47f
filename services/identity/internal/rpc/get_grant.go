package rpc

import (
	"context"

	identityv1 "serein.app/proto/gen/serein/identity/v1"
)

// GetGrant says whether the grant behind an access token is still active.
func (h *GrantHandler) GetGrant(ctx context.Context, req *identityv1.GetGrantRequest) (*identityv1.GetGrantResponse, error) {
	active, err := h.grants.TokenActive(ctx, req.GetTokenId())
	if err != nil {
		return nil, err
	}
	return &identityv1.GetGrantResponse{Stands: active}, nil
}
