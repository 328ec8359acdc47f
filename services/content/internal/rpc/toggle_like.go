package rpc

import (
	"context"

	contentv1 "serein.app/proto/gen/serein/content/v1"
)

// ToggleLike makes a like of none, where the member may read or hear the item, and none of a like.
func (r *Reading) ToggleLike(ctx context.Context, req *contentv1.ToggleLikeRequest) (*contentv1.ToggleLikeResponse, error) {
	uid, item, err := r.chosen(ctx, req.GetItem(), false)
	if err != nil {
		return nil, err
	}
	_, _, refusal := r.chosen(ctx, req.GetItem(), true)
	standing, err := r.ports.Kept.ToggleLike(ctx, uid, item, refusal)
	if err != nil {
		return nil, err
	}
	return &contentv1.ToggleLikeResponse{Standing: toProtoStanding(standing)}, nil
}
