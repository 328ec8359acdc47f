package web

import (
	"context"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

// suggestFrom is how many of a category's newest meditations a suggestion is drawn from.
const suggestFrom = 100

// GetMemberHome suggests one thing for this hour of the member's day. What a service that is away would add is left out.
func (s *Screens) GetMemberHome(ctx context.Context, req *webv1.GetMemberHomeRequest) (*webv1.GetMemberHomeResponse, error) {
	categories, titles := suggestable(req.GetHour(), s.account(ctx))
	lot := lotOf(memberOf(ctx).UID, req)
	out := &webv1.GetMemberHomeResponse{Tracks: warmFirst(s.catalogue.orEmpty(ctx).tracks)}
	if out.Meditation = s.suggested(ctx, lot, categories); out.Meditation == nil && len(titles) > 0 {
		out.Title = lot.drawn(titles)[0]
	}
	return out, nil
}

// suggested is a meditation of the first category drawn that has one for the member; nil for none.
func (s *Screens) suggested(ctx context.Context, l lot, categories []string) *webv1.MeditationCard {
	ctx, cancel := context.WithTimeout(ctx, partTime)
	defer cancel()
	for _, category := range l.drawn(categories) {
		res, err := s.Clients.Library.ListMeditations(ctx, &contentv1.ListMeditationsRequest{Category: category, PageSize: suggestFrom})
		if err != nil {
			s.without(ctx, "the suggestion of the hour", err)
			return nil
		}
		if found := l.firstNew(each(res.GetMeditations(), meditationCard)); found != nil {
			return found
		}
	}
	return nil
}
