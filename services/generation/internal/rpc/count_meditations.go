package rpc

import (
	"context"

	generationv1 "serein.app/proto/gen/serein/generation/v1"
	"serein.app/services/platform/auth"
)

// CountMeditations answers how many meditations the member has, and how long that is true by itself.
func (h *Handler) CountMeditations(ctx context.Context, _ *generationv1.CountMeditationsRequest) (*generationv1.CountMeditationsResponse, error) {
	uid, err := auth.MemberID(ctx)
	if err != nil {
		return nil, err
	}
	total, changesAt, err := h.service.Count(ctx, uid)
	if err != nil {
		return nil, err
	}
	return &generationv1.CountMeditationsResponse{Total: int32(total), ChangesAt: orAbsent(changesAt)}, nil
}
