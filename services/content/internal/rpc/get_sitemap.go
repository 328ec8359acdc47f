package rpc

import (
	"context"
	"time"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	"serein.app/services/content/internal/reading"
)

// A sitemap has 50,000 addresses at most (sitemaps.org); articles are read in pages.
const (
	maxAddresses = 50_000
	addressPage  = 500
)

// GetSitemap answers the groups in their order, and all articles and courses.
func (r *Reading) GetSitemap(ctx context.Context, _ *contentv1.GetSitemapRequest) (*contentv1.GetSitemapResponse, error) {
	groups, err := r.inOrder(ctx, "sitemapGroup")
	if err != nil {
		return nil, err
	}
	courses, err := r.published(ctx)
	if err != nil {
		return nil, err
	}
	res := &contentv1.GetSitemapResponse{}
	for _, c := range courses {
		res.Courses = append(res.Courses, c.Slug)
	}
	for _, g := range groups {
		res.Groups = append(res.Groups, toProtoGroup(g))
	}
	for after := reading.First; len(res.GetArticles()) < maxAddresses; {
		cards, cursors, err := r.ports.Pages.Cards(ctx, reading.Filter{Kind: reading.Article}, after, addressPage)
		if err != nil {
			return nil, err
		}
		for _, c := range cards {
			res.Articles = append(res.Articles, &contentv1.SitemapArticle{Slug: c.Slug, Changed: c.ChangedAt.Format(time.DateOnly)})
		}
		if len(cards) < addressPage {
			break
		}
		after = cursors[len(cursors)-1]
	}
	return res, nil
}

func toProtoGroup(g reading.Page) *contentv1.SitemapGroup {
	group := &contentv1.SitemapGroup{Title: g.Text("title")}
	for _, p := range g.Objects("pages") {
		title, _ := p["title"].(string)
		path, _ := p["path"].(string)
		priority, _ := p["priority"].(float64)
		protected, _ := p["protected"].(bool)
		group.Pages = append(group.Pages, &contentv1.SitemapPage{Title: title, Path: path, Priority: priority, Protected: protected})
	}
	return group
}
