package web

import (
	"context"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

// EmptyDiary deletes every entry of the member's diary for good.
func (s *Screens) EmptyDiary(ctx context.Context, _ *webv1.EmptyDiaryRequest) (*webv1.EmptyDiaryResponse, error) {
	_, err := s.Clients.Diary.EmptyDiary(ctx, &contentv1.EmptyDiaryRequest{})
	return &webv1.EmptyDiaryResponse{}, err
}
