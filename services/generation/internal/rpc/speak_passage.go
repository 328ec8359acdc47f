package rpc

import (
	"context"

	generationv1 "serein.app/proto/gen/serein/generation/v1"
)

// SpeakPassage narrates a passage at once.
func (n *Narrations) SpeakPassage(ctx context.Context, req *generationv1.SpeakPassageRequest) (*generationv1.SpeakPassageResponse, error) {
	spoken, err := n.service.Speak(ctx, req.GetNarratorId(), req.GetImmersive(), fromProtoPassage(req.GetPassage()))
	if err != nil {
		return nil, err
	}
	return &generationv1.SpeakPassageResponse{
		Mp3: spoken.MP3, DurationMs: spoken.Duration.Milliseconds(), NarratorName: spoken.Narrator.Name,
	}, nil
}
