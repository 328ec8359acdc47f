package rpc

import (
	"context"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	"serein.app/services/content/internal/reading"
	"serein.app/services/content/internal/studio"
)

// MakeMeditation makes a meditation that is not verified. Errors: those of studio.MakeMeditation.
func (s *Studio) MakeMeditation(ctx context.Context, req *contentv1.MakeMeditationRequest) (*contentv1.MakeMeditationResponse, error) {
	item, locale, err := s.studio.MakeMeditation(ctx, editor(ctx), studio.Order{
		ID: req.GetId(), Title: req.GetTitle(), Type: req.GetType(), Practice: req.GetPractice(), Text: req.GetScript(),
		NarratorID: req.GetNarratorId(), By: req.GetGeneratedBy(), Immersive: req.GetImmersive(), Intro: req.GetIntro(),
	})
	if err != nil {
		return nil, err
	}
	text := func(field string) string {
		value, _ := item.Fields[field][locale].(string)
		return value
	}
	made, err := s.made(ctx, item, locale)
	return &contentv1.MakeMeditationResponse{
		Made: made, Script: &contentv1.MeditationScript{Paragraphs: reading.Paragraphs(text("script")), CreatedBy: text("createdBy")},
	}, err
}
