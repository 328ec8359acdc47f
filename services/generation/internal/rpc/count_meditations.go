package rpc

import (
	"context"

	generationv1 "serein.app/proto/gen/serein/generation/v1"
	"serein.app/services/platform/auth"
)

// CountMeditations answers how many meditations the member has to listen to, and how many they have deleted.
func (h *Handler) CountMeditations(ctx context.Context, _ *generationv1.CountMeditationsRequest) (*generationv1.CountMeditationsResponse, error) {
	uid, err := auth.MemberID(ctx)
	if err != nil {
		return nil, err
	}
	heard, deleted, err := h.service.Count(ctx, uid)
	if err != nil {
		return nil, err
	}
	return &generationv1.CountMeditationsResponse{Total: int32(heard), Deleted: int32(deleted)}, nil
}
