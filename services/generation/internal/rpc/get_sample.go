package rpc

import (
	"context"

	generationv1 "serein.app/proto/gen/serein/generation/v1"
	"serein.app/proto/gen/serein/generation/v1/generationv1connect"
	"serein.app/services/generation/internal/shared"
)

// Sample answers the SampleService.
type Sample struct{ samples shared.Samples }

var _ generationv1connect.SampleServiceHandler = (*Sample)(nil)

// NewSample makes a Sample.
func NewSample(s shared.Samples) *Sample { return &Sample{s} }

// GetSample answers where the recording is and what is said in it.
func (s *Sample) GetSample(context.Context, *generationv1.GetSampleRequest) (*generationv1.GetSampleResponse, error) {
	made, err := s.samples.Minute.Recording()
	if err != nil {
		return nil, err
	}
	return &generationv1.GetSampleResponse{
		Path: s.samples.Minute.Path(made), DurationMs: made.Duration.Milliseconds(), Lines: toProtoLines(made.Lines),
	}, nil
}
