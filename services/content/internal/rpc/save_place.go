package rpc

import (
	"context"
	"time"

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
		Position: time.Duration(req.GetPositionMs()) * time.Millisecond, Duration: time.Duration(req.GetDurationMs()) * time.Millisecond,
	}
	moved, err := r.ports.Places.SavePlace(ctx, uid, w)
	if err == nil && w.Finished() && !moved && item.Kind != reading.Bespoke {
		err = r.ports.Courses.Heard(ctx, uid, item, w.Turn)
	}
	if err != nil {
		return nil, err
	}
	return &contentv1.SavePlaceResponse{Moved: moved}, nil
}
