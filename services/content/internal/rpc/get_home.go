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
	day, err := r.dayOf(req.GetLocalDate())
	if err != nil {
		return nil, err
	}
	home, err := r.ports.Pages.HomePages(ctx, day.YearDay()%quotes, newest)
	if err != nil {
		return nil, err
	}
	items, meditations := home.Beginnings(auth.SubjectFrom(ctx))
	d, err := r.newCardBuilder(ctx, home.Categories, reading.SurroundingsAsked{Cards: append(home.Newest, meditations...)})
	if err != nil {
		return nil, err
	}
	res := &contentv1.GetHomeResponse{Articles: d.articles(home.Newest)}
	for _, quote := range home.Quotes[:min(len(home.Quotes), 1)] {
		res.Quote = quote.Text("text")
	}
	for _, mission := range home.Missions[:min(len(home.Missions), 1)] {
		res.MissionTitle, res.MissionDescription = mission.Text("title"), mission.Text("description")
	}
	res.Immersive, res.Voice = d.begin(items, meditations)
	return res, nil
}

// dayOf reads a calendar day, YYYY-MM-DD; empty for UTC's.
func (r *Reading) dayOf(date string) (time.Time, error) {
	if date == "" {
		return r.ports.Now().UTC(), nil
	}
	day, err := time.Parse(time.DateOnly, date)
	if err != nil {
		return day, rpc.ErrInvalid.On("local_date").Because(err)
	}
	return day, nil
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
