package rpc

import (
	"context"

	contentv1 "serein.app/proto/gen/serein/content/v1"
)

// SetSaved keeps what the member may read or hear. Taking out is for everything.
func (r *Reading) SetSaved(ctx context.Context, req *contentv1.SetSavedRequest) (*contentv1.SetSavedResponse, error) {
	uid, item, err := r.chosen(ctx, req.GetItem(), req.GetSaved())
	if err != nil {
		return nil, err
	}
	standing, changed, err := r.ports.Kept.SetSaved(ctx, uid, item, req.GetSaved())
	if err != nil {
		return nil, err
	}
	return &contentv1.SetSavedResponse{Standing: toProtoStanding(standing), Changed: changed}, nil
}
