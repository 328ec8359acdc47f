package rpc

import (
	"context"

	generationv1 "serein.app/proto/gen/serein/generation/v1"
)

// RenameMeditation gives a meditation another title.
func (h *Handler) RenameMeditation(ctx context.Context, req *generationv1.RenameMeditationRequest) (*generationv1.RenameMeditationResponse, error) {
	uid, id, err := owned(ctx, req)
	if err != nil {
		return nil, err
	}
	m, err := h.service.Rename(ctx, uid, id, req.GetTitle())
	if err != nil {
		return nil, err
	}
	return &generationv1.RenameMeditationResponse{Meditation: toProto(m)}, nil
}
