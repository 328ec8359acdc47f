package web

import (
	"context"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

// ChangeEntry gives an entry of the member's diary another line.
func (s *Screens) ChangeEntry(ctx context.Context, req *webv1.ChangeEntryRequest) (*webv1.ChangeEntryResponse, error) {
	res, err := s.Clients.Diary.ChangeEntry(ctx, &contentv1.ChangeEntryRequest{Id: req.GetId(), Line: req.GetLine()})
	if err != nil {
		return nil, err
	}
	return &webv1.ChangeEntryResponse{Entry: diaryEntry(res.GetEntry())}, nil
}
