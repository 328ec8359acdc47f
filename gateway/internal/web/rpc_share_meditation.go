package web

import (
	"context"

	generationv1 "serein.app/proto/gen/serein/generation/v1"
	webv1 "serein.app/proto/gen/serein/web/v1"
	"serein.app/services/platform/errs"
)

// withoutName says in the log what a link cannot show.
const withoutName = "the name that a link shows"

// ShareMeditation makes the link of one of the member's meditations, or has the running one show the member's first name or not. The
// name is ours to say, not the request's; where it is wished and nobody knows it now, nothing is shared: UNAVAILABLE.
func (s *Screens) ShareMeditation(ctx context.Context, req *webv1.ShareMeditationRequest) (*webv1.ShareMeditationResponse, error) {
	name := ""
	if req.GetShowName() {
		user, known := part(ctx, s, s.View.Users, withoutName)
		if !known {
			return nil, errs.ErrUnavailable
		}
		name = user.GetGivenName()
	}
	res, err := s.Clients.Shares.ShareMeditation(ctx, &generationv1.ShareMeditationRequest{Id: req.GetId(), ShownName: name})
	if err != nil {
		return nil, err
	}
	return &webv1.ShareMeditationResponse{Share: s.share(res.GetShare())}, nil
}
