package rpc

import (
	"context"

	identityv1 "serein.app/proto/gen/serein/identity/v1"
)

// GetGrant says whether the grant behind an access token still stands.
func (h *GrantHandler) GetGrant(ctx context.Context, req *identityv1.GetGrantRequest) (*identityv1.GetGrantResponse, error) {
	stands, err := h.grants.Stands(ctx, req.GetTokenId())
	if err != nil {
		return nil, err
	}
	return &identityv1.GetGrantResponse{Stands: stands}, nil
}
