package web

import (
	"context"

	generationv1 "serein.app/proto/gen/serein/generation/v1"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

// GetGrounding answers everybody: who needs it must not have to sign in first.
func (s *Screens) GetGrounding(ctx context.Context, _ *webv1.GetGroundingRequest) (*webv1.GetGroundingResponse, error) {
	res, err := s.Clients.Grounding.GetGrounding(ctx, &generationv1.GetGroundingRequest{})
	if err != nil {
		return nil, err
	}
	return &webv1.GetGroundingResponse{
		AudioUrl: "/media/" + res.GetPath(), DurationMs: res.GetDurationMs(), Lines: lines(res.GetLines()),
	}, nil
}
