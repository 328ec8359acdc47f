package rpc

import (
	"context"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	"serein.app/services/platform/auth"
)

// SetKeeping switches the member's diary on or off.
func (r *Reading) SetKeeping(ctx context.Context, req *contentv1.SetKeepingRequest) (*contentv1.SetKeepingResponse, error) {
	uid, err := auth.MemberID(ctx)
	if err != nil {
		return nil, err
	}
	return &contentv1.SetKeepingResponse{}, r.ports.Diary.SetKeeping(ctx, uid, req.GetKeeping())
}
