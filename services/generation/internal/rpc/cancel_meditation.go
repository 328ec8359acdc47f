package rpc

import (
	"context"

	generationv1 "serein.app/proto/gen/serein/generation/v1"
	"serein.app/services/platform/auth"
)

// CancelMeditation stops the work.
func (h *Handler) CancelMeditation(ctx context.Context, req *generationv1.CancelMeditationRequest) (*generationv1.CancelMeditationResponse, error) {
	m, err := h.service.Cancel(ctx, auth.Member(ctx), req.GetId())
	if err != nil {
		return nil, err
	}
	return &generationv1.CancelMeditationResponse{Meditation: toProto(m)}, nil
}
