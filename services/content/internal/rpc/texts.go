package rpc

import (
	"context"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	"serein.app/services/content/internal/markup"
	"serein.app/services/content/internal/reading"
	"serein.app/services/platform/auth"
)

// texts of articles, in the order of their cards, as far as the reader may read them.
func (r *Reading) texts(ctx context.Context, d cardBuilder, cards []reading.Card) ([]*contentv1.ArticleText, error) {
	pages, err := r.pagesOf(ctx, cards)
	if err != nil {
		return nil, err
	}
	texts := make([]*contentv1.ArticleText, len(cards))
	for i, c := range cards {
		texts[i] = articleText(pages[c.ID].Text("body"), c.Whole(d.reader))
		texts[i].AudioPath = d.audio(c)
	}
	return texts, nil
}

// articleText is the whole or the opening two paragraphs.
func articleText(body string, whole bool) *contentv1.ArticleText {
	html, rest := markup.Split(body)
	if whole {
		html += rest
	}
	return &contentv1.ArticleText{Html: html, Plain: markup.PlainOf(html)}
}

// scripts of meditations, in the order of their cards, for who may hear them.
func (r *Reading) scripts(ctx context.Context, reader auth.Subject, cards []reading.Card) ([]*contentv1.MeditationScript, error) {
	pages, err := r.pagesOf(ctx, cards)
	if err != nil {
		return nil, err
	}
	scripts := make([]*contentv1.MeditationScript, len(cards))
	for i, c := range cards {
		scripts[i] = &contentv1.MeditationScript{CreatedBy: pages[c.ID].Text("createdBy")}
		if c.Whole(reader) {
			scripts[i].Paragraphs = reading.Paragraphs(pages[c.ID].Text("script"))
		}
	}
	return scripts, nil
}

func (r *Reading) pagesOf(ctx context.Context, cards []reading.Card) (map[string]reading.Page, error) {
	ids := make([]string, len(cards))
	for i, c := range cards {
		ids[i] = c.ID
	}
	return r.store.PagesOf(ctx, ids...)
}
