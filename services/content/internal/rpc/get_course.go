package rpc

import (
	"context"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	"serein.app/services/content/internal/markup"
)

// GetCourse answers a course by slug or id, with its days as far as the reader may have them.
func (r *Reading) GetCourse(ctx context.Context, req *contentv1.GetCourseRequest) (*contentv1.GetCourseResponse, error) {
	all, err := r.published(ctx)
	if err != nil {
		return nil, err
	}
	c, err := course(all, req.GetSlug())
	if err != nil {
		return nil, err
	}
	b, err := r.newCourseBuilder(ctx, true, c)
	if err != nil {
		return nil, err
	}
	res := &contentv1.GetCourseResponse{Card: b.card(c), OpeningHtml: markup.HTML(c.Opening)}
	p, taken := b.progress.Of(c.ID)
	for _, d := range c.Days {
		res.Days = append(res.Days, b.day(d, p))
	}
	if taken {
		res.NextDay = b.next(c).GetId()
	}
	return res, nil
}
