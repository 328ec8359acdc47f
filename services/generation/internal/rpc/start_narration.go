package rpc

import (
	"context"
	"time"

	generationv1 "serein.app/proto/gen/serein/generation/v1"
	"serein.app/services/generation/internal/publication"
	"serein.app/services/generation/internal/recording"
)

// StartNarration takes a script on.
func (n *Narrations) StartNarration(ctx context.Context, req *generationv1.StartNarrationRequest) (*generationv1.StartNarrationResponse, error) {
	r := publication.Request{
		ID: req.GetId(), NarratorID: req.GetNarratorId(), Immersive: req.GetImmersive(),
		Passages: make([]recording.Passage, len(req.GetPassages())),
	}
	for i, p := range req.GetPassages() {
		r.Passages[i] = fromProtoPassage(p)
	}
	started, err := n.service.Start(ctx, r)
	if err != nil {
		return nil, err
	}
	return &generationv1.StartNarrationResponse{Narration: toProtoNarration(started)}, nil
}

func milliseconds(n int32) time.Duration { return time.Duration(n) * time.Millisecond }
