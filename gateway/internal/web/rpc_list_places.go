package web

import (
	"context"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	generationv1 "serein.app/proto/gen/serein/generation/v1"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

const (
	// placesPage is how many places ListPlaces answers where no number is asked for.
	placesPage = 3
	// placesAsked is how many are looked through for them: some of the member's own may be gone.
	placesAsked = 30
)

// ListPlaces joins content's places with generation's meditations. Without generation the member's own are left out.
func (s *Screens) ListPlaces(ctx context.Context, req *webv1.ListPlacesRequest) (*webv1.ListPlacesResponse, error) {
	res, err := s.Clients.Places.ListPlaces(ctx, &contentv1.ListPlacesRequest{PageSize: placesAsked})
	if err != nil {
		return nil, err
	}
	names := s.catalogue.orEmpty(ctx)
	bespoke := s.bespokeHeard(ctx, names, res.GetPlaces())
	size := int(req.GetPageSize())
	if size == 0 {
		size = placesPage
	}
	out := &webv1.ListPlacesResponse{Tracks: warmFirst(names.tracks)}
	for _, p := range res.GetPlaces() {
		if shown := place(p, bespoke); shown != nil && len(out.GetPlaces()) < size {
			out.Places = append(out.Places, shown)
		}
	}
	return out, nil
}

// bespokeHeard are those of the places that are the member's own meditations and can be heard, by their ids.
func (s *Screens) bespokeHeard(ctx context.Context, names *cachedCatalogue, places []*contentv1.Place) map[string]*webv1.Meditation {
	var ids []string
	for _, p := range places {
		if p.GetItem().GetKind() == contentv1.ItemKind_ITEM_KIND_BESPOKE {
			ids = append(ids, p.GetItem().GetId())
		}
	}
	if len(ids) == 0 {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, partTime)
	defer cancel()
	res, err := s.Clients.Meditations.BatchGetMeditations(ctx, &generationv1.BatchGetMeditationsRequest{Ids: ids})
	if err != nil {
		s.without(ctx, "the member's own meditations among places", err)
		return nil
	}
	heard := make(map[string]*webv1.Meditation, len(ids))
	for _, m := range res.GetMeditations() {
		if m.GetStage() == generationv1.Stage_STAGE_READY && m.GetDeletesAt() == nil {
			heard[m.GetId()] = names.meditation(m)
		}
	}
	return heard
}

// place with its card; nil where there is no card.
func place(p *contentv1.Place, bespoke map[string]*webv1.Meditation) *webv1.Place {
	out := &webv1.Place{
		Item:       &webv1.ItemRef{Kind: kindOf(p.GetItem().GetKind()), Id: p.GetItem().GetId()},
		PositionMs: p.GetPositionMs(), DurationMs: p.GetDurationMs(), HeardAt: p.GetHeardAt(),
	}
	switch own := bespoke[p.GetItem().GetId()]; {
	case p.GetArticle() != nil:
		out.Card = &webv1.Place_Article{Article: articleCard(p.GetArticle())}
	case p.GetMeditation() != nil:
		out.Card = &webv1.Place_Meditation{Meditation: meditationCard(p.GetMeditation())}
	case own != nil:
		out.Card = &webv1.Place_Bespoke{Bespoke: own}
	default:
		return nil
	}
	return out
}
