package rpc

import (
	"context"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	"serein.app/services/content/internal/reading"
)

// ListArticles answers the newest first, with how many articles there are in each category.
func (r *Reading) ListArticles(ctx context.Context, req *contentv1.ListArticlesRequest) (*contentv1.ListArticlesResponse, error) {
	categories, err := r.categories(ctx, req.GetCategory())
	if err != nil {
		return nil, err
	}
	f := reading.Filter{Kind: reading.Article, Category: req.GetCategory()}
	p, err := r.list(ctx, f, req.GetSearch(), req.GetPageToken(), int(req.GetPageSize()))
	if err != nil {
		return nil, err
	}
	counts, filled, err := r.counts(ctx, categories, reading.Filter{Kind: reading.Article}, f)
	if err != nil {
		return nil, err
	}
	d, err := r.newCardBuilder(ctx, categories, p.cards...)
	if err != nil {
		return nil, err
	}
	var texts []*contentv1.ArticleText
	if req.GetWithTexts() {
		if texts, err = r.texts(ctx, d, p.cards); err != nil {
			return nil, err
		}
	}
	return &contentv1.ListArticlesResponse{
		Articles: d.articles(p.cards), Texts: texts, NextPageToken: p.next, Total: p.total(counts[f]), Categories: filled,
	}, nil
}
