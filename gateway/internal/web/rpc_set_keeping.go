package web

import (
	"context"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

// SetKeeping switches the member's diary on or off.
func (s *Screens) SetKeeping(ctx context.Context, req *webv1.SetKeepingRequest) (*webv1.SetKeepingResponse, error) {
	_, err := s.Clients.Diary.SetKeeping(ctx, &contentv1.SetKeepingRequest{Keeping: req.GetKeeping()})
	return &webv1.SetKeepingResponse{}, err
}
