package rpc

import (
	"context"

	identityv1 "serein.app/proto/gen/serein/identity/v1"
)

// ListAppConsents answers what the caller has let apps do.
func (h *AppHandler) ListAppConsents(ctx context.Context, _ *identityv1.ListAppConsentsRequest) (*identityv1.ListAppConsentsResponse, error) {
	uid, err := member(ctx)
	if err != nil {
		return nil, err
	}
	consents, err := h.list(ctx, uid)
	if err != nil {
		return nil, err
	}
	return &identityv1.ListAppConsentsResponse{Consents: consents}, nil
}
