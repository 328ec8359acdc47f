package web

import (
	"context"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

// GetPlace answers where the member stopped in an item.
func (s *Screens) GetPlace(ctx context.Context, req *webv1.GetPlaceRequest) (*webv1.GetPlaceResponse, error) {
	res, err := s.Clients.Places.GetPlace(ctx, &contentv1.GetPlaceRequest{Item: itemRef(req.GetItem())})
	if err != nil {
		return nil, err
	}
	return &webv1.GetPlaceResponse{PositionMs: res.GetPositionMs(), Turn: res.GetTurn()}, nil
}
