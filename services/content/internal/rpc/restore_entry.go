package rpc

import (
	"context"

	contentv1 "serein.app/proto/gen/serein/content/v1"
)

// RestoreEntry brings back the entry that was removed last.
func (r *Reading) RestoreEntry(ctx context.Context, req *contentv1.RestoreEntryRequest) (*contentv1.RestoreEntryResponse, error) {
	uid, id, err := ofDiary(ctx, req.GetId())
	if err != nil {
		return nil, err
	}
	restored, err := r.ports.Diary.Restore(ctx, uid, id)
	if err != nil {
		return nil, err
	}
	return &contentv1.RestoreEntryResponse{Entry: diaryEntry(restored)}, nil
}
