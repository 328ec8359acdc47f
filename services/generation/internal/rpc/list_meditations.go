package rpc

import (
	"context"

	generationv1 "serein.app/proto/gen/serein/generation/v1"
	"serein.app/services/generation/internal/meditation"
	"serein.app/services/platform/auth"
)

// filters are the contract's; active ones where none is named.
var filters = map[generationv1.MeditationFilter]meditation.Filter{
	generationv1.MeditationFilter_MEDITATION_FILTER_ACTIVE:  meditation.Active,
	generationv1.MeditationFilter_MEDITATION_FILTER_DELETED: meditation.Marked,
	generationv1.MeditationFilter_MEDITATION_FILTER_ALL:     meditation.All,
}

// ListMeditations answers newest first, with the scripts where they are asked for.
func (h *Handler) ListMeditations(ctx context.Context, req *generationv1.ListMeditationsRequest) (*generationv1.ListMeditationsResponse, error) {
	uid, err := auth.MemberID(ctx)
	if err != nil {
		return nil, err
	}
	page, next, total, err := h.service.List(ctx, uid, filters[req.GetFilter()], int(req.GetPageSize()), req.GetPageToken())
	if err != nil {
		return nil, err
	}
	res := &generationv1.ListMeditationsResponse{NextPageToken: next, Total: int32(total)}
	for _, m := range page {
		res.Meditations = append(res.Meditations, toProto(m))
	}
	if !req.GetWithScripts() {
		return res, nil
	}
	scripts, err := h.service.Scripts(ctx, page...)
	if err != nil {
		return nil, err
	}
	for _, s := range scripts {
		res.Scripts = append(res.Scripts, toProtoScript(s))
	}
	return res, nil
}
