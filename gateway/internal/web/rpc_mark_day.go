package web

import (
	"context"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

// MarkDay says that a day of a course is done.
func (s *Screens) MarkDay(ctx context.Context, req *webv1.MarkDayRequest) (*webv1.MarkDayResponse, error) {
	_, err := s.Clients.Courses.MarkDay(ctx, &contentv1.MarkDayRequest{Course: req.GetCourse(), Day: req.GetDay()})
	return &webv1.MarkDayResponse{}, err
}
