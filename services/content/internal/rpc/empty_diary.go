package rpc

import (
	"context"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	"serein.app/services/platform/auth"
)

// EmptyDiary deletes every entry of the member's diary for good.
func (r *Reading) EmptyDiary(ctx context.Context, _ *contentv1.EmptyDiaryRequest) (*contentv1.EmptyDiaryResponse, error) {
	uid, err := auth.MemberID(ctx)
	if err != nil {
		return nil, err
	}
	return &contentv1.EmptyDiaryResponse{}, r.ports.Diary.Empty(ctx, uid)
}
