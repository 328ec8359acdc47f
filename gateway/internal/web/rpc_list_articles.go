package web

import (
	"context"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

// ListArticles answers the cards of articles, the newest first, to everybody.
func (s *Screens) ListArticles(ctx context.Context, req *webv1.ListArticlesRequest) (*webv1.ListArticlesResponse, error) {
	res, err := s.Clients.Articles.ListArticles(ctx, &contentv1.ListArticlesRequest{
		Category: req.GetCategory(), Search: req.GetSearch(), PageSize: req.GetPageSize(), PageToken: req.GetPageToken(),
	})
	if err != nil {
		return nil, err
	}
	return &webv1.ListArticlesResponse{
		Articles: each(res.GetArticles(), articleCard), NextPageToken: res.GetNextPageToken(), Total: res.GetTotal(),
		Categories: each(res.GetCategories(), categoryCount),
	}, nil
}
