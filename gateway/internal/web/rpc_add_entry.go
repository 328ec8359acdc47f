package web

import (
	"context"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

// AddEntry writes an entry of the member's diary by hand.
func (s *Screens) AddEntry(ctx context.Context, req *webv1.AddEntryRequest) (*webv1.AddEntryResponse, error) {
	res, err := s.Clients.Diary.AddEntry(ctx, &contentv1.AddEntryRequest{Id: req.GetRequestId(), Day: req.GetDay(), Line: req.GetLine()})
	if err != nil {
		return nil, err
	}
	return &webv1.AddEntryResponse{Entry: diaryEntry(res.GetEntry())}, nil
}
