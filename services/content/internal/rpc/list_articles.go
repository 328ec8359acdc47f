package rpc

import (
	"context"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	"serein.app/services/content/internal/reading"
)

// ListArticles answers the newest first, with how many articles there are in each category.
func (r *Reading) ListArticles(ctx context.Context, req *contentv1.ListArticlesRequest) (*contentv1.ListArticlesResponse, error) {
	f := reading.Filter{Kind: reading.Article, Category: req.GetCategory()}
	p, err := r.list(ctx, f, req.GetSearch(), req.GetPageToken(), int(req.GetPageSize()))
	if err != nil {
		return nil, err
	}
	count := counting{reading.Filter{Kind: reading.Article}, []reading.Filter{f}, p.Categories}
	d, err := r.newCardBuilder(ctx, p.Categories, reading.SurroundingsAsked{Cards: p.Cards, Lists: count.lists(), Texts: req.GetWithTexts()})
	if err != nil {
		return nil, err
	}
	res := &contentv1.ListArticlesResponse{
		Articles: d.articles(p.Cards), NextPageToken: p.next, Total: p.total(d.Counts[f.Name()]), Categories: count.filled(d.Counts),
	}
	if req.GetWithTexts() {
		res.Texts = d.texts(p.Cards)
	}
	return res, nil
}
