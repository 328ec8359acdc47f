package web

import (
	"context"

	generationv1 "serein.app/proto/gen/serein/generation/v1"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

// bespokePage is how many cards My Journey shows at once.
const bespokePage = 24

// ListBespoke pages through the member's meditations, newest first; or through those that are marked deleted, the last one marked first.
func (s *Screens) ListBespoke(ctx context.Context, req *webv1.ListBespokeRequest) (*webv1.ListBespokeResponse, error) {
	filter := generationv1.MeditationFilter_MEDITATION_FILTER_ACTIVE
	if req.GetDeleted() {
		filter = generationv1.MeditationFilter_MEDITATION_FILTER_DELETED
	}
	res, err := s.Clients.Meditations.ListMeditations(ctx, &generationv1.ListMeditationsRequest{
		PageSize: bespokePage, PageToken: req.GetPageToken(), Filter: filter,
	})
	if err != nil {
		return nil, err
	}
	found := s.catalogue.orEmpty(ctx)
	out := &webv1.ListBespokeResponse{NextPageToken: res.GetNextPageToken(), Total: res.GetTotal()}
	for _, m := range res.GetMeditations() {
		out.Meditations = append(out.Meditations, found.meditation(m))
	}
	return out, nil
}
