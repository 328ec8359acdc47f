package web

import (
	"context"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

// SavePlace writes where the member is in an item.
func (s *Screens) SavePlace(ctx context.Context, req *webv1.SavePlaceRequest) (*webv1.SavePlaceResponse, error) {
	res, err := s.Clients.Places.SavePlace(ctx, &contentv1.SavePlaceRequest{
		Item: itemRef(req.GetItem()), Turn: req.GetTurn(), Step: req.GetStep(),
		PositionMs: req.GetPositionMs(), DurationMs: req.GetDurationMs(), Playing: req.GetPlaying(), UtcOffsetMinutes: req.GetUtcOffsetMinutes(),
	})
	if err != nil {
		return nil, err
	}
	return &webv1.SavePlaceResponse{Moved: res.GetMoved(), DiaryEntryId: res.GetDiaryEntryId()}, nil
}
