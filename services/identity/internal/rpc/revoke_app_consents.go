package rpc

import (
	"context"

	identityv1 "serein.app/proto/gen/serein/identity/v1"
)

// RevokeAppConsents takes back what the caller has let one app do.
func (h *AppHandler) RevokeAppConsents(ctx context.Context, req *identityv1.RevokeAppConsentsRequest) (*identityv1.RevokeAppConsentsResponse, error) {
	uid, err := member(ctx)
	if err != nil {
		return nil, err
	}
	if err := h.apps.RevokeAppConsents(ctx, uid, req.GetClientId()); err != nil {
		return nil, err
	}
	consents, err := h.list(ctx, uid)
	if err != nil {
		return nil, err
	}
	return &identityv1.RevokeAppConsentsResponse{Consents: consents}, nil
}
