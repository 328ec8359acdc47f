package web

import (
	"context"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

// UnmarkDay says that a day of a course is not done.
func (s *Screens) UnmarkDay(ctx context.Context, req *webv1.UnmarkDayRequest) (*webv1.UnmarkDayResponse, error) {
	_, err := s.Clients.Courses.UnmarkDay(ctx, &contentv1.UnmarkDayRequest{Course: req.GetCourse(), Day: req.GetDay()})
	return &webv1.UnmarkDayResponse{}, err
}
