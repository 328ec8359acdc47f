package rpc

import (
	"context"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	"serein.app/services/content/internal/markup"
	"serein.app/services/content/internal/reading"
)

// GetArticle returns the opening to every caller, and the rest and the sound to callers who may read all of it.
func (r *Reading) GetArticle(ctx context.Context, req *contentv1.GetArticleRequest) (*contentv1.GetArticleResponse, error) {
	c, err := r.ports.Pages.CardNamed(ctx, reading.Article, req.GetSlug())
	if err != nil {
		return nil, err
	}
	d, err := r.newCardBuilder(ctx, nil, reading.SurroundingsAsked{Cards: []reading.Card{c}, Categories: true, Texts: true})
	if err != nil {
		return nil, err
	}
	body, err := d.text(c, "body")
	if err != nil {
		return nil, err
	}
	if c.Audio == "" {
		r.ports.Opened(ctx, c.ID)
	}
	res := &contentv1.GetArticleResponse{Card: d.article(c), AudioPath: d.audio(c), NarratorName: d.narrators.Of(c), Whole: true}
	var rest string
	res.OpeningHtml, rest = markup.Split(body)
	switch {
	case c.Whole(d.reader):
		res.RestHtml = rest
	case rest != "":
		res.Whole = false
	}
	return res, nil
}
