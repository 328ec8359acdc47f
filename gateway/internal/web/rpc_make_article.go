package web

import (
	"context"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

// MakeArticle makes an article, in the name of the session's member.
func (s *Screens) MakeArticle(ctx context.Context, req *webv1.MakeArticleRequest) (*webv1.MakeArticleResponse, error) {
	res, err := s.Clients.Studio.MakeArticle(ctx, &contentv1.MakeArticleRequest{
		Id: req.GetId(), Title: req.GetTitle(), Type: req.GetType(), Practice: req.GetPractice(), Text: req.GetText(), Open: req.GetOpen(),
		Immersive: req.GetImmersive(), NarratorId: req.GetNarratorId(), GeneratedBy: memberOf(ctx).GivenName,
	})
	if err != nil {
		return nil, err
	}
	return &webv1.MakeArticleResponse{Made: made(res.GetMade())}, nil
}
