package rpc

import (
	"context"

	generationv1 "serein.app/proto/gen/serein/generation/v1"
)

// CancelMeditation stops the work for the price that the member has accepted.
func (h *Handler) CancelMeditation(ctx context.Context, req *generationv1.CancelMeditationRequest) (*generationv1.CancelMeditationResponse, error) {
	uid, id, err := owned(ctx, req)
	if err != nil {
		return nil, err
	}
	m, err := h.service.Cancel(ctx, uid, id, int(req.GetAcceptedPrice()))
	if err != nil {
		return nil, err
	}
	return &generationv1.CancelMeditationResponse{Meditation: toProto(m)}, nil
}
