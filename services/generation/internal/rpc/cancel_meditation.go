package rpc

import (
	"context"

	generationv1 "serein.app/proto/gen/serein/generation/v1"
)

// CancelMeditation stops the work.
func (h *Handler) CancelMeditation(ctx context.Context, req *generationv1.CancelMeditationRequest) (*generationv1.CancelMeditationResponse, error) {
	uid, id, err := owned(ctx, req)
	if err != nil {
		return nil, err
	}
	m, err := h.service.Cancel(ctx, uid, id)
	if err != nil {
		return nil, err
	}
	return &generationv1.CancelMeditationResponse{Meditation: toProto(m)}, nil
}
