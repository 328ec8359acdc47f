package web

import (
	"context"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

// ListMade pages through what was made in the studio, newest first.
func (s *Screens) ListMade(ctx context.Context, req *webv1.ListMadeRequest) (*webv1.ListMadeResponse, error) {
	res, err := s.Clients.Studio.ListMade(ctx, &contentv1.ListMadeRequest{
		PageSize: req.GetPageSize(), PageToken: req.GetPageToken(),
	})
	if err != nil {
		return nil, err
	}
	out := &webv1.ListMadeResponse{NextPageToken: res.GetNextPageToken(), Unverified: res.GetUnverified()}
	for _, m := range res.GetMade() {
		out.Made = append(out.Made, made(m))
	}
	return out, nil
}
