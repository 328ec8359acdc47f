package rpc

import (
	"context"
	"time"

	"github.com/google/uuid"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	"serein.app/services/content/internal/listening"
)

// SavePlace writes where the member is. Whether they may hear the item was asked when the turn began.
func (r *Reading) SavePlace(ctx context.Context, req *contentv1.SavePlaceRequest) (*contentv1.SavePlaceResponse, error) {
	uid, item, err := r.chosen(ctx, req.GetItem(), false)
	if err != nil {
		return nil, err
	}
	saved, err := r.ports.Places.SavePlace(ctx, uid, listening.Write{
		Item: item, Turn: req.GetTurn(), Step: req.GetStep(), Playing: req.GetPlaying(),
		UTCOffset: time.Duration(req.GetUtcOffsetMinutes()) * time.Minute,
		Position:  time.Duration(req.GetPositionMs()) * time.Millisecond, Duration: time.Duration(req.GetDurationMs()) * time.Millisecond,
	})
	if err != nil {
		return nil, err
	}
	res := &contentv1.SavePlaceResponse{Moved: saved.Moved}
	if saved.WithoutLine != uuid.Nil {
		res.DiaryEntryId = saved.WithoutLine.String()
	}
	return res, nil
}
