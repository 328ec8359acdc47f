package rpc

import (
	"context"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	"serein.app/services/platform/auth"
)

// LeaveCourse forgets what the member has done of a course. It needs no plan.
func (r *Reading) LeaveCourse(ctx context.Context, req *contentv1.LeaveCourseRequest) (*contentv1.LeaveCourseResponse, error) {
	uid, err := auth.MemberID(ctx)
	if err != nil {
		return nil, err
	}
	return &contentv1.LeaveCourseResponse{}, r.ports.Courses.Leave(ctx, uid, req.GetCourse())
}
