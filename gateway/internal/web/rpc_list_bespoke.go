package web

import (
	"context"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	generationv1 "serein.app/proto/gen/serein/generation/v1"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

// bespokePage is how many cards one page of My Journey has: more than a large window shows, and few enough that a list of 10,000 costs its
// first page less than 1.5 times what a list of ten costs (deploy/load/README.md, part journey).
const bespokePage = 18

// ListBespoke pages through the member's meditations, newest first; those that are searched for, the best match first; or through those that
// are marked deleted, the last one marked first.
func (s *Screens) ListBespoke(ctx context.Context, req *webv1.ListBespokeRequest) (*webv1.ListBespokeResponse, error) {
	if req.GetSearch() != "" {
		return s.searchBespoke(ctx, req)
	}
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

// searchBespoke asks content, which has the words of the member's own, which they are, and generation how they stand.
func (s *Screens) searchBespoke(ctx context.Context, req *webv1.ListBespokeRequest) (*webv1.ListBespokeResponse, error) {
	found, err := s.findBespoke(ctx, &contentv1.SearchRequest{
		Text: req.GetSearch(), PageToken: req.GetPageToken(), PageSize: bespokePage, Deleted: req.GetDeleted(),
	})
	if err != nil {
		return nil, err
	}
	out := &webv1.ListBespokeResponse{NextPageToken: found.GetNextPageToken(), Total: found.GetTotal()}
	ids := each(found.GetMatches(), func(m *contentv1.Match) string { return m.GetItem().GetId() })
	if len(ids) == 0 {
		return out, nil
	}
	res, err := s.Clients.Meditations.BatchGetMeditations(ctx, &generationv1.BatchGetMeditationsRequest{Ids: ids})
	if err != nil {
		return nil, err
	}
	byID := make(map[string]*generationv1.Meditation, len(ids))
	for _, m := range res.GetMeditations() {
		byID[m.GetId()] = m
	}
	names := s.catalogue.orEmpty(ctx)
	for _, id := range ids {
		// One that is gone since content found it, or stands in the other list by now, is left out.
		if m, there := byID[id]; there && (m.GetDeletesAt() != nil) == req.GetDeleted() {
			out.Meditations = append(out.Meditations, names.meditation(m))
		}
	}
	return out, nil
}

// findBespoke is one page of the member's own that a search finds.
func (s *Screens) findBespoke(ctx context.Context, req *contentv1.SearchRequest) (*contentv1.SearchGroup, error) {
	req.Kind = contentv1.ItemKind_ITEM_KIND_BESPOKE
	res, err := s.Clients.Search.Search(ctx, req)
	if err != nil || len(res.GetGroups()) == 0 {
		return nil, err
	}
	return res.GetGroups()[0], nil
}
