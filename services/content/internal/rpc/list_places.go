package rpc

import (
	"context"

	"google.golang.org/protobuf/types/known/timestamppb"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	"serein.app/services/content/internal/listening"
	"serein.app/services/content/internal/reading"
	"serein.app/services/platform/auth"
)

const (
	// placesPage is how many places are answered where no number is asked for.
	placesPage = 10
	// placesSeen are looked through for them: the member may hear some of them no more.
	placesSeen = 100
)

// ListPlaces answers what the member has begun, the last first: of articles and the library what they may hear now.
func (r *Reading) ListPlaces(ctx context.Context, req *contentv1.ListPlacesRequest) (*contentv1.ListPlacesResponse, error) {
	uid, err := auth.MemberID(ctx)
	if err != nil {
		return nil, err
	}
	places, err := r.ports.Places.Places(ctx, uid, placesSeen)
	if err != nil {
		return nil, err
	}
	places = heardStill(places, auth.SubjectFrom(ctx), int(req.GetPageSize()))
	var cards []reading.Card
	for _, p := range places {
		if p.Item.Kind != reading.Bespoke {
			cards = append(cards, p.Card)
		}
	}
	d, err := r.newCardBuilder(ctx, nil, withCategories(cards...))
	if err != nil {
		return nil, err
	}
	res := &contentv1.ListPlacesResponse{}
	for _, p := range places {
		res.Places = append(res.Places, d.place(p))
	}
	return res, nil
}

// heardStill are the first of the places whose sound the reader may hear, so many at most; 0 is placesPage.
func heardStill(places []listening.Place, to auth.Subject, most int) (heard []listening.Place) {
	if most == 0 {
		most = placesPage
	}
	for _, p := range places {
		if hears := p.Item.Kind == reading.Bespoke || p.Card.Audio != "" && p.Card.Whole(to); hears && len(heard) < most {
			heard = append(heard, p)
		}
	}
	return heard
}

func (d cardBuilder) place(p listening.Place) *contentv1.Place {
	out := &contentv1.Place{
		Item: itemRef(p.Item), PositionMs: p.Position.Milliseconds(), DurationMs: p.Duration.Milliseconds(), HeardAt: timestamppb.New(p.At),
	}
	switch p.Item.Kind {
	case reading.Article:
		out.Card = &contentv1.Place_Article{Article: d.article(p.Card)}
	case reading.Meditation:
		out.Card = &contentv1.Place_Meditation{Meditation: d.meditation(p.Card)}
	case reading.Bespoke: // the generation service has its card
	}
	return out
}

func itemRef(i reading.Item) *contentv1.ItemRef {
	return &contentv1.ItemRef{Kind: protoKinds[i.Kind], Id: i.ID}
}
