package rpc

import (
	"context"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	"serein.app/services/content/internal/entry"
	"serein.app/services/content/internal/markup"
	"serein.app/services/content/internal/reading"
)

// texts are the entries of pages that are words alone, by the names of these. A legal text is the only one of its content type.
var texts = map[string]struct{ id, contentType string }{
	"about": {id: "about"}, "terms": {contentType: entry.TermsAndConditions}, "privacy": {contentType: entry.PrivacyPolicy},
}

// GetText answers a page as clean HTML.
func (r *Reading) GetText(ctx context.Context, req *contentv1.GetTextRequest) (*contentv1.GetTextResponse, error) {
	p, err := r.textNamed(ctx, req.GetName())
	if err != nil {
		return nil, err
	}
	version := p.Text("version")
	return &contentv1.GetTextResponse{
		Title: p.Text("title"), Description: p.Text("description"), Html: markup.HTML(p.Text("body")),
		Version: version[:min(len(version), len("2026-11-21"))],
	}, nil
}

func (r *Reading) textNamed(ctx context.Context, name string) (reading.Page, error) {
	of := texts[name]
	if of.contentType == "" {
		return r.ports.Pages.Page(ctx, of.id)
	}
	pages, err := r.ports.Pages.Pages(ctx, of.contentType)
	if err == nil && len(pages) == 0 {
		err = reading.ErrNotFound
	}
	if err != nil {
		return reading.Page{}, err
	}
	return pages[0], nil
}
