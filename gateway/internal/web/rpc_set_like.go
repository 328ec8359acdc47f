package web

import (
	"context"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

// SetLike puts an item among the member's likes, or takes it out.
func (s *Screens) SetLike(ctx context.Context, req *webv1.SetLikeRequest) (*webv1.SetLikeResponse, error) {
	res, err := s.Clients.Items.SetLike(ctx, &contentv1.SetLikeRequest{Item: itemRef(req.GetItem()), Liked: req.GetLiked()})
	if err != nil {
		return nil, err
	}
	return &webv1.SetLikeResponse{Standing: standing(res.GetStanding())}, nil
}
