package rpc

import (
	"context"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	"serein.app/services/content/internal/markup"
	"serein.app/services/content/internal/studio"
)

// MakeArticle publishes an article. Errors: those of studio.MakeArticle.
func (s *Studio) MakeArticle(ctx context.Context, req *contentv1.MakeArticleRequest) (*contentv1.MakeArticleResponse, error) {
	text := req.GetText()
	if req.GetHtml() != "" {
		text = markup.Markdown(req.GetHtml())
	}
	item, locale, err := s.studio.MakeArticle(ctx, editor(ctx), studio.Order{
		ID: req.GetId(), Title: req.GetTitle(), Type: req.GetType(), Practice: req.GetPractice(), Text: text,
		NarratorID: req.GetNarratorId(), By: req.GetGeneratedBy(), Immersive: req.GetImmersive(), Open: req.GetOpen(),
	})
	if err != nil {
		return nil, err
	}
	body, _ := item.Fields["body"][locale].(string)
	made, err := s.made(ctx, item, locale)
	answer := articleText(body, true)
	answer.AudioPath = made.GetAudioPath()
	return &contentv1.MakeArticleResponse{Made: made, Text: answer}, err
}
