package rpc

import (
	"context"

	generationv1 "serein.app/proto/gen/serein/generation/v1"
)

// RecoverMeditation takes the mark back.
func (h *Handler) RecoverMeditation(ctx context.Context, req *generationv1.RecoverMeditationRequest) (*generationv1.RecoverMeditationResponse, error) {
	uid, id, err := owned(ctx, req)
	if err != nil {
		return nil, err
	}
	m, err := h.service.Recover(ctx, uid, id)
	if err != nil {
		return nil, err
	}
	return &generationv1.RecoverMeditationResponse{Meditation: toProto(m)}, nil
}
