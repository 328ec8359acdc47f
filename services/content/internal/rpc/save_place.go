package rpc

import (
	"context"
	"time"

	"github.com/google/uuid"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	"serein.app/services/content/internal/listening"
	"serein.app/services/content/internal/reading"
)

// SavePlace writes where the member is. Whether they may hear the item was asked when the turn began. What is heard to its end is a done
// day of the member's courses.
func (r *Reading) SavePlace(ctx context.Context, req *contentv1.SavePlaceRequest) (*contentv1.SavePlaceResponse, error) {
	uid, item, err := r.chosen(ctx, req.GetItem(), false)
	if err != nil {
		return nil, err
	}
	w := listening.Write{
		Item: item, Turn: req.GetTurn(), Step: req.GetStep(), Playing: req.GetPlaying(),
		UTCOffset: time.Duration(req.GetUtcOffsetMinutes()) * time.Minute,
		Position:  time.Duration(req.GetPositionMs()) * time.Millisecond, Duration: time.Duration(req.GetDurationMs()) * time.Millisecond,
	}
	saved, err := r.ports.Places.SavePlace(ctx, uid, w)
	if err == nil && w.Finished() && !saved.Moved && item.Kind != reading.Bespoke {
		err = r.ports.Courses.Heard(ctx, uid, item, w.Turn)
	}
	if err != nil {
		return nil, err
	}
	res := &contentv1.SavePlaceResponse{Moved: saved.Moved}
	if saved.WithoutLine != uuid.Nil {
		res.DiaryEntryId = saved.WithoutLine.String()
	}
	return res, nil
}
