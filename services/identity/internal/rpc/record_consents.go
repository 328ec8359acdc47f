package rpc

import (
	"context"

	identityv1 "serein.app/proto/gen/serein/identity/v1"
	"serein.app/services/platform/auth"
)

// RecordConsents writes the caller's own.
func (h *ConsentHandler) RecordConsents(ctx context.Context, req *identityv1.RecordConsentsRequest) (*identityv1.RecordConsentsResponse, error) {
	consents, err := h.accounts.RecordConsents(ctx, auth.Member(ctx), answersOf(req.GetAnswers()))
	if err != nil {
		return nil, err
	}
	return &identityv1.RecordConsentsResponse{Consents: consentsOf(consents)}, nil
}
