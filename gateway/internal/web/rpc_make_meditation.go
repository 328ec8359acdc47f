package web

import (
	"context"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

// MakeMeditation makes a meditation of the library, in the name of the session's member.
func (s *Screens) MakeMeditation(ctx context.Context, req *webv1.MakeMeditationRequest) (*webv1.MakeMeditationResponse, error) {
	res, err := s.Clients.Studio.MakeMeditation(ctx, &contentv1.MakeMeditationRequest{
		Id: req.GetId(), Title: req.GetTitle(), Type: req.GetType(), Practice: req.GetPractice(), Script: req.GetScript(),
		Immersive: req.GetImmersive(), Intro: req.GetIntro(), NarratorId: req.GetNarratorId(), GeneratedBy: memberOf(ctx).GivenName,
	})
	if err != nil {
		return nil, err
	}
	return &webv1.MakeMeditationResponse{Made: made(res.GetMade())}, nil
}
