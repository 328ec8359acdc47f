package rpc

import (
	"context"

	contentv1 "serein.app/proto/gen/serein/content/v1"
)

// StartCourse begins a course, or begins it over.
func (r *Reading) StartCourse(ctx context.Context, req *contentv1.StartCourseRequest) (*contentv1.StartCourseResponse, error) {
	uid, c, published, err := r.toTake(ctx, req.GetCourse())
	if err != nil {
		return nil, err
	}
	return &contentv1.StartCourseResponse{}, r.ports.Courses.Start(ctx, uid, c.ID, req.GetOver(), published)
}
