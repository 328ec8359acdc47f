package web

import (
	"context"

	"serein.app/gateway/internal/upstream"
	contentv1 "serein.app/proto/gen/serein/content/v1"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

// GetSitemap answers the groups of the page /sitemap, from what is kept for all who ask.
func (s *Screens) GetSitemap(ctx context.Context, _ *webv1.GetSitemapRequest) (*webv1.GetSitemapResponse, error) {
	res, err := s.sitemap.Get(ctx)
	if err != nil {
		return nil, err
	}
	upstream.SetContentAge(ctx, s.Now().Sub(res.asOf))
	return &webv1.GetSitemapResponse{Groups: each(res.GetGroups(), s.sitemapGroup)}, nil
}

func (s *Screens) sitemapGroup(g *contentv1.SitemapGroup) *webv1.SitemapGroup {
	return &webv1.SitemapGroup{Title: g.GetTitle(), Pages: each(g.GetPages(), s.sitemapEntry)}
}

// sitemapEntry is a page with its path. A page that the app does not have yet is coming soon, and its path is empty.
func (s *Screens) sitemapEntry(p *contentv1.SitemapPage) *webv1.SitemapPage {
	out := &webv1.SitemapPage{Title: p.GetTitle(), Priority: p.GetPriority(), Protected: p.GetProtected()}
	if s.IsPage(p.GetPath()) {
		out.Path = p.GetPath()
	}
	return out
}
