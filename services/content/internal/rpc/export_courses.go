package rpc

import (
	"context"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	"serein.app/services/content/internal/courses"
	"serein.app/services/platform/auth"
)

// ExportCourses answers all that is kept of the member's courses, the last touched first.
func (r *Reading) ExportCourses(ctx context.Context, _ *contentv1.ExportCoursesRequest) (*contentv1.ExportCoursesResponse, error) {
	uid, err := auth.MemberID(ctx)
	if err != nil {
		return nil, err
	}
	mine, err := r.ports.Courses.Progress(ctx, uid)
	if err != nil {
		return nil, err
	}
	all, err := r.published(ctx)
	if err != nil {
		return nil, err
	}
	byID := map[string]courses.Course{}
	for _, c := range all {
		byID[c.ID] = c
	}
	res := &contentv1.ExportCoursesResponse{}
	for _, p := range mine {
		c := byID[p.Course]
		res.Courses = append(res.Courses, &contentv1.ExportedCourse{Id: p.Course, Title: c.Title, Done: p.Titles(c)})
	}
	return res, nil
}
