package rpc

import (
	"context"

	contentv1 "serein.app/proto/gen/serein/content/v1"
)

// RemoveEntry takes an entry out of the member's diary.
func (r *Reading) RemoveEntry(ctx context.Context, req *contentv1.RemoveEntryRequest) (*contentv1.RemoveEntryResponse, error) {
	uid, id, err := ofDiary(ctx, req.GetId())
	if err != nil {
		return nil, err
	}
	return &contentv1.RemoveEntryResponse{}, r.ports.Diary.Remove(ctx, uid, id)
}
