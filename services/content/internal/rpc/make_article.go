package rpc

import (
	"context"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	errorsv1 "serein.app/proto/gen/serein/errors/v1"
	"serein.app/services/content/internal/markup"
	"serein.app/services/content/internal/studio"
	"serein.app/services/platform/errs"
)

// errHTML is of a text that has words, and whose elements lie too deep in one another to be read.
var errHTML = errs.New(errs.Invalid, errorsv1.Reason_REASON_INVALID_ARGUMENT,
	"We can’t read the text: its elements are nested too deeply.").On("html")

// MakeArticle publishes an article. Errors: those of studio.MakeArticle.
func (s *Studio) MakeArticle(ctx context.Context, req *contentv1.MakeArticleRequest) (*contentv1.MakeArticleResponse, error) {
	text := req.GetText()
	if req.GetHtml() != "" {
		var err error
		if text, err = markup.Markdown(req.GetHtml()); err != nil {
			return nil, errHTML.Because(err)
		}
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
