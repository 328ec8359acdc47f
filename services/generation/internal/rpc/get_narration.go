package rpc

import (
	"context"

	generationv1 "serein.app/proto/gen/serein/generation/v1"
)

// GetNarration says how far a narration is.
func (n *Narrations) GetNarration(ctx context.Context, req *generationv1.GetNarrationRequest) (*generationv1.GetNarrationResponse, error) {
	found, err := n.service.Get(ctx, req.GetId())
	if err != nil {
		return nil, err
	}
	return &generationv1.GetNarrationResponse{Narration: toProtoNarration(found)}, nil
}
