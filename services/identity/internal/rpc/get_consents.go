package rpc

import (
	"context"

	identityv1 "serein.app/proto/gen/serein/identity/v1"
	"serein.app/services/platform/auth"
)

// GetConsents answers the caller's own.
func (h *ConsentHandler) GetConsents(ctx context.Context, _ *identityv1.GetConsentsRequest) (*identityv1.GetConsentsResponse, error) {
	consents, err := h.accounts.Consents(ctx, auth.Member(ctx))
	if err != nil {
		return nil, err
	}
	return &identityv1.GetConsentsResponse{Consents: consentsOf(consents)}, nil
}
