package rpc

import (
	"context"

	generationv1 "serein.app/proto/gen/serein/generation/v1"
)

// GetMeditation answers a meditation with its segments so far, and its script where that is asked for.
func (h *Handler) GetMeditation(ctx context.Context, req *generationv1.GetMeditationRequest) (*generationv1.GetMeditationResponse, error) {
	uid, id, err := owned(ctx, req)
	if err != nil {
		return nil, err
	}
	m, segments, err := h.service.Get(ctx, uid, id)
	if err != nil {
		return nil, err
	}
	terms, err := h.service.CancelTerms(ctx, m)
	if err != nil {
		return nil, err
	}
	res := &generationv1.GetMeditationResponse{Meditation: withTomorrow(withTerms(toProto(m), terms), m), Segments: toProtoSegments(segments)}
	if !req.GetWithScript() {
		return res, nil
	}
	scripts, err := h.service.Scripts(ctx, m)
	if err != nil {
		return nil, err
	}
	res.Script = toProtoScript(scripts[0])
	return res, nil
}
