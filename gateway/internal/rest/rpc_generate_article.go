package rest

import (
	"context"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	restv1 "serein.app/proto/gen/serein/rest/v1"
)

// GenerateArticle publishes an article for members and has it narrated. Errors: those of content's MakeArticle.
func (a *API) GenerateArticle(ctx context.Context, req *restv1.GenerateArticleRequest) (*restv1.GenerateArticleResponse, error) {
	if err := valid(req); err != nil {
		return nil, err
	}
	o, err := a.order(ctx, req)
	if err != nil {
		return nil, err
	}
	res, err := a.Clients.Studio.MakeArticle(asCaller(ctx), &contentv1.MakeArticleRequest{
		Id: o.id, Title: req.GetTitle(), Type: o.kind, Practice: o.practice,
		Text: req.GetText(), Html: req.GetFormattedText(), NarratorId: req.GetVoiceCode(), GeneratedBy: o.by, Immersive: req.GetImmersive(),
	})
	if err != nil {
		return nil, renamed(err)
	}
	return &restv1.GenerateArticleResponse{Article: a.madeArticle(res.GetMade(), res.GetText())}, nil
}
