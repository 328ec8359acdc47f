package web

import (
	"context"

	generationv1 "serein.app/proto/gen/serein/generation/v1"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

// EndShare ends the link of one of the member's meditations.
func (s *Screens) EndShare(ctx context.Context, req *webv1.EndShareRequest) (*webv1.EndShareResponse, error) {
	_, err := s.Clients.Shares.EndShare(ctx, &generationv1.EndShareRequest{Id: req.GetId()})
	return &webv1.EndShareResponse{}, err
}
