package rpc

import (
	"context"

	"github.com/google/uuid"

	generationv1 "serein.app/proto/gen/serein/generation/v1"
	"serein.app/services/generation/internal/meditation"
	"serein.app/services/platform/auth"
	"serein.app/services/platform/rpc"
)

// CreateMeditation holds the cost and starts the work.
func (h *Handler) CreateMeditation(ctx context.Context, req *generationv1.CreateMeditationRequest) (*generationv1.CreateMeditationResponse, error) {
	uid, err := auth.MemberID(ctx)
	if err != nil {
		return nil, err
	}
	key, err := uuid.Parse(req.GetIdempotencyKey())
	if err != nil {
		return nil, rpc.ErrInvalid.On("idempotency_key").Because(err)
	}
	draft, err := draftOf(req)
	if err != nil {
		return nil, err
	}
	m, err := h.service.Create(ctx, uid, meditation.Request{
		Title: req.GetTitle(), TypeID: req.GetTypeId(), PracticeID: req.GetPracticeId(), SizeID: req.GetSizeId(),
		Immersive: req.GetImmersive(), TrackID: req.GetTrackId(), Day: req.GetLocalDate(), Key: key,
		AskedNarratorID: req.GetNarratorId(), GivenName: req.GetGivenName(), Language: req.GetLanguage(), KeepInside: req.GetKeepInside(),
		DraftID: draft, DraftRevision: int(req.GetDraftRevision()),
	})
	if err != nil {
		return nil, err
	}
	return &generationv1.CreateMeditationResponse{Meditation: toProto(m), Balance: toProtoBalance(m.Balance)}, nil
}

// draftOf is the draft that the request narrates; uuid.Nil for none.
func draftOf(req *generationv1.CreateMeditationRequest) (uuid.UUID, error) {
	if req.GetDraftId() == "" {
		return uuid.Nil, nil
	}
	return meditation.ParseDraftID(req.GetDraftId())
}
