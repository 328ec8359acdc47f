package rpc

import (
	"context"

	generationv1 "serein.app/proto/gen/serein/generation/v1"
	"serein.app/services/platform/auth"
)

// ListMeditations answers newest first.
func (h *Handler) ListMeditations(ctx context.Context, req *generationv1.ListMeditationsRequest) (*generationv1.ListMeditationsResponse, error) {
	page, next, total, err := h.service.List(ctx, auth.Member(ctx), int(req.GetPageSize()), req.GetPageToken())
	if err != nil {
		return nil, err
	}
	out := make([]*generationv1.Meditation, len(page))
	for i, m := range page {
		out[i] = toProto(m)
	}
	return &generationv1.ListMeditationsResponse{Meditations: out, NextPageToken: next, Total: int32(total)}, nil
}
