package rpc

import (
	"context"

	generationv1 "serein.app/proto/gen/serein/generation/v1"
)

// MarkMeditationDeleted has a meditation removed after 14 days.
func (h *Handler) MarkMeditationDeleted(ctx context.Context, req *generationv1.MarkMeditationDeletedRequest) (*generationv1.MarkMeditationDeletedResponse, error) {
	uid, id, err := owned(ctx, req)
	if err != nil {
		return nil, err
	}
	m, err := h.service.MarkDeleted(ctx, uid, id)
	if err != nil {
		return nil, err
	}
	return &generationv1.MarkMeditationDeletedResponse{Meditation: toProto(m)}, nil
}
