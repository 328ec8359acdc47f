package web

import (
	"context"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

// ListCourses answers all courses, with those that the caller takes.
func (s *Screens) ListCourses(ctx context.Context, _ *webv1.ListCoursesRequest) (*webv1.ListCoursesResponse, error) {
	res, err := s.Clients.Courses.ListCourses(ctx, &contentv1.ListCoursesRequest{})
	if err != nil {
		return nil, err
	}
	return &webv1.ListCoursesResponse{Courses: each(res.GetCourses(), courseCard)}, nil
}

func courseCard(c *contentv1.CourseCard) *webv1.CourseCard {
	return &webv1.CourseCard{
		Id: c.GetId(), Slug: c.GetSlug(), Title: c.GetTitle(), Description: c.GetDescription(), Category: category(c.GetCategory()),
		Picture: picture(c.GetPicture()), Days: c.GetDays(), Taken: c.GetTaken(), Finished: c.GetFinished(),
	}
}
