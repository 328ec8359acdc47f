package rpc

import (
	contentv1 "serein.app/proto/gen/serein/content/v1"
	"serein.app/services/content/internal/entry"
	"serein.app/services/content/internal/markup"
	"serein.app/services/content/internal/reading"
)

// text of an article or a meditation, as readers get it. Errors: entry.ErrNotFound where it was taken from readers just now.
func (d cardBuilder) text(c reading.Card, field string) (string, error) {
	p, there := d.Texts[c.ID]
	if !there {
		return "", entry.ErrNotFound
	}
	return p.Text(field), nil
}

// texts of articles, in the order of their cards, as far as the reader may read them.
func (d cardBuilder) texts(cards []reading.Card) []*contentv1.ArticleText {
	texts := make([]*contentv1.ArticleText, len(cards))
	for i, c := range cards {
		texts[i] = articleText(d.Texts[c.ID].Text("body"), c.Whole(d.reader))
		texts[i].AudioPath = d.audio(c)
	}
	return texts
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
func (d cardBuilder) scripts(cards []reading.Card) []*contentv1.MeditationScript {
	scripts := make([]*contentv1.MeditationScript, len(cards))
	for i, c := range cards {
		scripts[i] = &contentv1.MeditationScript{CreatedBy: d.Texts[c.ID].Text("createdBy")}
		if c.Whole(d.reader) {
			scripts[i].Paragraphs = reading.Paragraphs(d.Texts[c.ID].Text("script"))
		}
	}
	return scripts
}
