package rpc

import (
	"context"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	"serein.app/services/content/internal/courses"
	"serein.app/services/platform/auth"
)

// ListMyCourses answers what the member takes of what is published, the last touched first.
func (r *Reading) ListMyCourses(ctx context.Context, _ *contentv1.ListMyCoursesRequest) (*contentv1.ListMyCoursesResponse, error) {
	uid, err := auth.MemberID(ctx)
	if err != nil {
		return nil, err
	}
	mine, err := r.ports.Courses.Progress(ctx, uid)
	if err != nil || len(mine) == 0 { // most members take none, on each visit of Home
		return &contentv1.ListMyCoursesResponse{}, err
	}
	all, err := r.published(ctx)
	if err != nil {
		return nil, err
	}
	var taken []courses.Course
	for _, p := range mine {
		if c, err := course(all, p.Course); err == nil && c.ID == p.Course {
			taken = append(taken, c)
		}
	}
	b, err := r.newCourseBuilder(ctx, false, taken...)
	if err != nil {
		return nil, err
	}
	res := &contentv1.ListMyCoursesResponse{}
	for _, c := range taken {
		res.Courses = append(res.Courses, &contentv1.MyCourse{Card: b.card(c), Next: b.next(c)})
	}
	return res, nil
}
