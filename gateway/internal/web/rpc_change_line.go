package web

import (
	"context"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

// ChangeLine gives an entry of the member's diary another line.
func (s *Screens) ChangeLine(ctx context.Context, req *webv1.ChangeLineRequest) (*webv1.ChangeLineResponse, error) {
	res, err := s.Clients.Diary.ChangeLine(ctx, &contentv1.ChangeLineRequest{Id: req.GetId(), Line: req.GetLine()})
	if err != nil {
		return nil, err
	}
	return &webv1.ChangeLineResponse{Entry: diaryEntry(res.GetEntry())}, nil
}
