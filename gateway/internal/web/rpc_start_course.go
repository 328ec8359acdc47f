package web

import (
	"context"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

// StartCourse begins a course, or begins it over.
func (s *Screens) StartCourse(ctx context.Context, req *webv1.StartCourseRequest) (*webv1.StartCourseResponse, error) {
	_, err := s.Clients.Courses.StartCourse(ctx, &contentv1.StartCourseRequest{Course: req.GetCourse(), Over: req.GetOver()})
	return &webv1.StartCourseResponse{}, err
}
