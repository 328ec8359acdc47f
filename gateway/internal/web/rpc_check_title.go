package web

import (
	"context"

	generationv1 "serein.app/proto/gen/serein/generation/v1"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

// CheckTitle answers everybody: words of care are for visitors and for members without credits too.
func (s *Screens) CheckTitle(ctx context.Context, req *webv1.CheckTitleRequest) (*webv1.CheckTitleResponse, error) {
	_, err := s.Clients.Meditations.CheckTitle(ctx, &generationv1.CheckTitleRequest{Title: req.GetTitle()})
	if err != nil {
		return nil, err
	}
	return &webv1.CheckTitleResponse{}, nil
}
