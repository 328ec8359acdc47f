package rpc

import (
	"context"

	generationv1 "serein.app/proto/gen/serein/generation/v1"
	"serein.app/services/platform/auth"
)

// BatchGetMeditations answers those of the ids that are the member's own.
func (h *Handler) BatchGetMeditations(ctx context.Context, req *generationv1.BatchGetMeditationsRequest) (*generationv1.BatchGetMeditationsResponse, error) {
	uid, err := auth.MemberID(ctx)
	if err != nil {
		return nil, err
	}
	own, err := h.service.Own(ctx, uid, req.GetIds())
	if err != nil {
		return nil, err
	}
	res := &generationv1.BatchGetMeditationsResponse{}
	for _, m := range own {
		res.Meditations = append(res.Meditations, toProto(m))
	}
	return res, nil
}
