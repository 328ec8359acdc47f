package web

import (
	"context"

	generationv1 "serein.app/proto/gen/serein/generation/v1"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

// GetSample answers everybody: it is for those who have no account yet.
func (s *Screens) GetSample(ctx context.Context, _ *webv1.GetSampleRequest) (*webv1.GetSampleResponse, error) {
	res, err := s.Clients.Sample.GetSample(ctx, &generationv1.GetSampleRequest{})
	if err != nil {
		return nil, err
	}
	return &webv1.GetSampleResponse{
		AudioUrl: "/media/" + res.GetPath(), DurationMs: res.GetDurationMs(), Lines: lines(res.GetLines()),
	}, nil
}
