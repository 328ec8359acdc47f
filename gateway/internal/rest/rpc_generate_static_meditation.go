package rest

import (
	"context"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	restv1 "serein.app/proto/gen/serein/rest/v1"
)

// GenerateStaticMeditation makes a meditation of the library, which is not verified, and has it narrated. Errors: those of
// content's MakeMeditation.
func (a *API) GenerateStaticMeditation(ctx context.Context, req *restv1.GenerateStaticMeditationRequest) (*restv1.GenerateStaticMeditationResponse, error) {
	if err := valid(req); err != nil {
		return nil, err
	}
	o, err := a.order(ctx, req)
	if err != nil {
		return nil, err
	}
	res, err := a.Clients.Studio.MakeMeditation(asCaller(ctx), &contentv1.MakeMeditationRequest{
		Id: o.id, Title: req.GetTitle(), Type: o.kind, Practice: o.practice,
		Script: req.GetScript(), NarratorId: req.GetVoiceCode(), GeneratedBy: o.by, Immersive: req.GetImmersive(), Intro: req.GetIntroMed(),
	})
	if err != nil {
		return nil, renamed(err)
	}
	return &restv1.GenerateStaticMeditationResponse{Meditation: a.madeMeditation(res.GetMade(), res.GetScript())}, nil
}
