package web

import (
	"context"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

// GetArticle answers an article by its present or a former slug or title, as far as the caller may read it.
func (s *Screens) GetArticle(ctx context.Context, req *webv1.GetArticleRequest) (*webv1.GetArticleResponse, error) {
	res, err := s.Clients.Articles.GetArticle(ctx, &contentv1.GetArticleRequest{Slug: req.GetSlug()})
	if err != nil {
		return nil, err
	}
	return &webv1.GetArticleResponse{
		Card: articleCard(res.GetCard()), OpeningHtml: res.GetOpeningHtml(), RestHtml: res.GetRestHtml(), Whole: res.GetWhole(),
		AudioUrl: mediaURL(res.GetAudioPath()), NarratorName: res.GetNarratorName(),
	}, nil
}
