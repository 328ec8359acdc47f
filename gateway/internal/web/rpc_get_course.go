package web

import (
	"context"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

// GetCourse answers a course with its days, as far as the caller may have them. Where a day has sound, it answers the sounds beneath it too.
func (s *Screens) GetCourse(ctx context.Context, req *webv1.GetCourseRequest) (*webv1.GetCourseResponse, error) {
	res, err := s.Clients.Courses.GetCourse(ctx, &contentv1.GetCourseRequest{Slug: req.GetSlug()})
	if err != nil {
		return nil, err
	}
	out := &webv1.GetCourseResponse{
		Card: courseCard(res.GetCard()), OpeningHtml: res.GetOpeningHtml(), Days: each(res.GetDays(), courseDay), NextDay: res.GetNextDay(),
	}
	for _, day := range out.GetDays() {
		if day.GetMeditation() != nil {
			out.Tracks = warmFirst(s.catalogue.orEmpty(ctx).tracks)
			break
		}
	}
	return out, nil
}

func courseDay(d *contentv1.CourseDay) *webv1.CourseDay {
	return &webv1.CourseDay{
		Id: d.GetId(), Title: d.GetTitle(), Line: d.GetLine(), Done: d.GetDone(), Away: d.GetAway(), Locked: d.GetLocked(),
		Meditation: meditationCard(d.GetMeditation()), Article: articleCard(d.GetArticle()),
	}
}
