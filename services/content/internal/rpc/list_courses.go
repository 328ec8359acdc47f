package rpc

import (
	"context"

	contentv1 "serein.app/proto/gen/serein/content/v1"
)

// ListCourses answers all courses in their editors' order.
func (r *Reading) ListCourses(ctx context.Context, _ *contentv1.ListCoursesRequest) (*contentv1.ListCoursesResponse, error) {
	all, err := r.published(ctx)
	if err != nil {
		return nil, err
	}
	b, err := r.newCourseBuilder(ctx, false, all...)
	if err != nil {
		return nil, err
	}
	res := &contentv1.ListCoursesResponse{}
	for _, c := range all {
		res.Courses = append(res.Courses, b.card(c))
	}
	return res, nil
}
