package rpc

import (
	"context"

	contentv1 "serein.app/proto/gen/serein/content/v1"
)

// GetPlace returns where the member stopped. Its answer does not reveal whether the item exists.
func (r *Reading) GetPlace(ctx context.Context, req *contentv1.GetPlaceRequest) (*contentv1.GetPlaceResponse, error) {
	uid, item, err := r.chosen(ctx, req.GetItem(), false)
	if err != nil {
		return nil, err
	}
	last, err := r.ports.Places.LastPlace(ctx, uid, item)
	if err != nil {
		return nil, err
	}
	return &contentv1.GetPlaceResponse{PositionMs: last.Position.Milliseconds(), Turn: last.Turn}, nil
}
