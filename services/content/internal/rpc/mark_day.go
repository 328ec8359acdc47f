package rpc

import (
	"context"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	"serein.app/services/content/internal/reading"
)

// MarkDay says that a day is done.
func (r *Reading) MarkDay(ctx context.Context, req *contentv1.MarkDayRequest) (*contentv1.MarkDayResponse, error) {
	uid, c, _, err := r.toTake(ctx, req.GetCourse())
	if err != nil {
		return nil, err
	}
	if !c.Has(req.GetDay()) {
		return nil, reading.ErrNotFound.On("day")
	}
	return &contentv1.MarkDayResponse{}, r.ports.Courses.Mark(ctx, uid, c.ID, req.GetDay(), true)
}
