package rpc

import (
	"context"
	"time"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	"serein.app/services/content/internal/reading"
	"serein.app/services/platform/auth"
	"serein.app/services/platform/rpc"
)

// quotes is how many quotes there are. That of a day is the one whose number is the day of the year modulo quotes.
const quotes = 356

// newest articles stand on Home.
const newest = 2

// GetHome answers what Home shows on the reader's day.
func (r *Reading) GetHome(ctx context.Context, req *contentv1.GetHomeRequest) (*contentv1.GetHomeResponse, error) {
	quote, err := r.quoteOf(ctx, req.GetLocalDate())
	if err != nil {
		return nil, err
	}
	res := &contentv1.GetHomeResponse{Quote: quote}
	missions, err := r.store.Pages(ctx, "homepage")
	if err != nil {
		return nil, err
	}
	for _, mission := range missions[:min(len(missions), 1)] {
		res.MissionTitle, res.MissionDescription = mission.Text("title"), mission.Text("description")
	}
	articles, _, err := r.store.Cards(ctx, reading.Filter{Kind: reading.Article}, reading.First, newest)
	if err != nil {
		return nil, err
	}
	items, meditations, err := r.beginnings(ctx)
	if err != nil {
		return nil, err
	}
	categories, err := r.categories(ctx, "")
	if err != nil {
		return nil, err
	}
	d, err := r.newCardBuilder(ctx, categories, append(articles, meditations...)...)
	if err != nil {
		return nil, err
	}
	res.Articles = d.articles(articles)
	res.Immersive, res.Voice = d.begin(items, meditations)
	return res, nil
}

// quoteOf a calendar day, YYYY-MM-DD; empty for UTC's.
func (r *Reading) quoteOf(ctx context.Context, date string) (string, error) {
	day := r.now().UTC()
	if date != "" {
		var err error
		if day, err = time.Parse(time.DateOnly, date); err != nil {
			return "", rpc.ErrInvalid.On("local_date").Because(err)
		}
	}
	lines, err := r.store.PagesWith(ctx, "quote", "order", day.YearDay()%quotes)
	if err != nil || len(lines) == 0 {
		return "", err
	}
	return lines[0].Text("text"), nil
}

// beginnings are the items of Begin Your Journey whose meditations the reader gets, in their order, and those.
func (r *Reading) beginnings(ctx context.Context) (items []reading.Page, meditations []reading.Card, err error) {
	all, err := r.inOrder(ctx, "storeItem")
	if err != nil {
		return nil, nil, err
	}
	var ids []string
	for _, item := range all {
		ids = append(ids, item.Link("meditation"))
	}
	cards, err := r.store.CardsOf(ctx, reading.Meditation, ids)
	if err != nil {
		return nil, nil, err
	}
	for _, item := range all {
		for _, c := range cards {
			if c.ID == item.Link("meditation") && c.Shown(auth.SubjectFrom(ctx)) {
				items, meditations = append(items, item), append(meditations, c)
			}
		}
	}
	return items, meditations, nil
}

// begin is what Home offers: the second and the third of the immersive items, and the first of the others.
func (d cardBuilder) begin(items []reading.Page, meditations []reading.Card) (immersive []*contentv1.HomeItem, voice *contentv1.HomeItem) {
	for i, item := range items {
		home := &contentv1.HomeItem{Title: item.Text("title"), Immersive: item.Is("immersive"), Meditation: d.meditation(meditations[i])}
		switch {
		case home.GetImmersive():
			immersive = append(immersive, home)
		case voice == nil:
			voice = home
		}
	}
	return immersive[min(1, len(immersive)):min(3, len(immersive))], voice
}
