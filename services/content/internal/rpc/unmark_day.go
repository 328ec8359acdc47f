package rpc

import (
	"context"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	"serein.app/services/platform/auth"
)

// UnmarkDay says that a day is not done. It needs no plan: members may undo what they have done.
func (r *Reading) UnmarkDay(ctx context.Context, req *contentv1.UnmarkDayRequest) (*contentv1.UnmarkDayResponse, error) {
	uid, err := auth.MemberID(ctx)
	if err != nil {
		return nil, err
	}
	return &contentv1.UnmarkDayResponse{}, r.ports.Courses.Mark(ctx, uid, req.GetCourse(), req.GetDay(), false)
}
