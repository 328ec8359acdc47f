package web

import (
	"context"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

// ListMyCourses answers the courses that the member takes, each with its next day.
func (s *Screens) ListMyCourses(ctx context.Context, _ *webv1.ListMyCoursesRequest) (*webv1.ListMyCoursesResponse, error) {
	res, err := s.Clients.Courses.ListMyCourses(ctx, &contentv1.ListMyCoursesRequest{})
	if err != nil {
		return nil, err
	}
	return &webv1.ListMyCoursesResponse{Courses: each(res.GetCourses(), myCourse)}, nil
}

func myCourse(c *contentv1.MyCourse) *webv1.MyCourse {
	out := &webv1.MyCourse{Card: courseCard(c.GetCard())}
	if next := c.GetNext(); next != nil {
		out.Next = &webv1.NextDay{Id: next.GetId(), Title: next.GetTitle(), Line: next.GetLine(), Number: next.GetNumber()}
	}
	return out
}
