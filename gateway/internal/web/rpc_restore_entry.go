package web

import (
	"context"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

// RestoreEntry brings back the entry that the member removed last.
func (s *Screens) RestoreEntry(ctx context.Context, req *webv1.RestoreEntryRequest) (*webv1.RestoreEntryResponse, error) {
	res, err := s.Clients.Diary.RestoreEntry(ctx, &contentv1.RestoreEntryRequest{Id: req.GetId()})
	if err != nil {
		return nil, err
	}
	return &webv1.RestoreEntryResponse{Entry: diaryEntry(res.GetEntry())}, nil
}
