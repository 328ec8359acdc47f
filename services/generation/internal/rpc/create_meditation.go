package rpc

import (
	"context"

	generationv1 "serein.app/proto/gen/serein/generation/v1"
	"serein.app/services/generation/internal/meditation"
	"serein.app/services/platform/auth"
)

// CreateMeditation holds the cost and starts the work.
func (h *Handler) CreateMeditation(ctx context.Context, req *generationv1.CreateMeditationRequest) (*generationv1.CreateMeditationResponse, error) {
	m, err := h.service.Create(ctx, auth.Member(ctx), meditation.Request{
		Title: req.GetTitle(), TypeID: req.GetTypeId(), PracticeID: req.GetPracticeId(), SizeID: req.GetSizeId(),
		Immersive: req.GetImmersive(), TrackID: req.GetTrackId(), Day: req.GetLocalDate(), Key: req.GetIdempotencyKey(),
		AskedNarratorID: req.GetNarratorId(), Language: req.GetLanguage(),
	})
	if err != nil {
		return nil, err
	}
	return &generationv1.CreateMeditationResponse{Meditation: toProto(m)}, nil
}
