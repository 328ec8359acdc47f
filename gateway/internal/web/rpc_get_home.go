package web

import (
	"context"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

// GetHome answers the mission, Begin Your Journey, and the quote of the caller's own day.
func (s *Screens) GetHome(ctx context.Context, req *webv1.GetHomeRequest) (*webv1.GetHomeResponse, error) {
	res, err := s.Clients.Pages.GetHome(ctx, &contentv1.GetHomeRequest{LocalDate: req.GetLocalDate()})
	if err != nil {
		return nil, err
	}
	return &webv1.GetHomeResponse{
		MissionTitle: res.GetMissionTitle(), MissionDescription: res.GetMissionDescription(),
		Immersive: each(res.GetImmersive(), homeItem), Voice: homeItem(res.GetVoice()),
		Articles: each(res.GetArticles(), articleCard), Quote: res.GetQuote(),
	}, nil
}

func homeItem(i *contentv1.HomeItem) *webv1.HomeItem {
	if i == nil {
		return nil
	}
	return &webv1.HomeItem{Title: i.GetTitle(), Immersive: i.GetImmersive(), Meditation: meditationCard(i.GetMeditation())}
}
