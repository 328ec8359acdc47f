package web

import (
	"context"

	generationv1 "serein.app/proto/gen/serein/generation/v1"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

// ListNarrators answers everybody: visitors fill in the form too.
func (s *Screens) ListNarrators(ctx context.Context, _ *webv1.ListNarratorsRequest) (*webv1.ListNarratorsResponse, error) {
	res, err := s.Clients.Sample.ListNarrators(ctx, &generationv1.ListNarratorsRequest{})
	if err != nil {
		return nil, err
	}
	return &webv1.ListNarratorsResponse{Narrators: each(res.GetNarrators(), narrator)}, nil
}

func narrator(n *generationv1.Narrator) *webv1.Narrator {
	return &webv1.Narrator{
		Id: n.GetId(), Name: n.GetName(), Description: n.GetDescription(),
		SampleUrl: mediaURL(n.GetSamplePath()), SampleDurationMs: n.GetSampleDurationMs(),
	}
}
