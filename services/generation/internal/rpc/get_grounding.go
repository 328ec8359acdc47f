package rpc

import (
	"context"

	generationv1 "serein.app/proto/gen/serein/generation/v1"
	"serein.app/proto/gen/serein/generation/v1/generationv1connect"
	"serein.app/services/generation/internal/shared"
)

// Grounding answers the GroundingService.
type Grounding struct{ library *shared.Library }

var _ generationv1connect.GroundingServiceHandler = (*Grounding)(nil)

// NewGrounding makes a Grounding.
func NewGrounding(l *shared.Library) *Grounding { return &Grounding{l} }

// GetGrounding answers where the recording is and what is said in it.
func (g *Grounding) GetGrounding(context.Context, *generationv1.GetGroundingRequest) (*generationv1.GetGroundingResponse, error) {
	made, err := g.library.Recording()
	if err != nil {
		return nil, err
	}
	return &generationv1.GetGroundingResponse{
		Path: g.library.Path(made), DurationMs: made.Duration.Milliseconds(), Lines: toProtoLines(made.Lines),
	}, nil
}
