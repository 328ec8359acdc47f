package rpc

import (
	"context"

	generationv1 "serein.app/proto/gen/serein/generation/v1"
)

// CheckTitle judges a title as CreateMeditation does, for callers who cannot create a meditation.
func (h *Handler) CheckTitle(_ context.Context, req *generationv1.CheckTitleRequest) (*generationv1.CheckTitleResponse, error) {
	if _, err := h.service.CheckTitle(req.GetTitle()); err != nil {
		return nil, err
	}
	return &generationv1.CheckTitleResponse{}, nil
}
