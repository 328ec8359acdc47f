package web

import (
	"context"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

// RemoveEntry takes an entry out of the member's diary.
func (s *Screens) RemoveEntry(ctx context.Context, req *webv1.RemoveEntryRequest) (*webv1.RemoveEntryResponse, error) {
	_, err := s.Clients.Diary.RemoveEntry(ctx, &contentv1.RemoveEntryRequest{Id: req.GetId()})
	return &webv1.RemoveEntryResponse{}, err
}
