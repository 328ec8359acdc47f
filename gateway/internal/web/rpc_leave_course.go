package web

import (
	"context"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

// LeaveCourse forgets what the member has done of a course.
func (s *Screens) LeaveCourse(ctx context.Context, req *webv1.LeaveCourseRequest) (*webv1.LeaveCourseResponse, error) {
	_, err := s.Clients.Courses.LeaveCourse(ctx, &contentv1.LeaveCourseRequest{Course: req.GetCourse()})
	return &webv1.LeaveCourseResponse{}, err
}
