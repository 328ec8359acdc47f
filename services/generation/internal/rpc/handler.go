// Package rpc answers the MeditationService for the member that the caller's token names. It
// holds no rule: it turns messages into the domain's words and back.
package rpc

import (
	"context"

	"github.com/google/uuid"

	"serein.app/proto/gen/serein/generation/v1/generationv1connect"
	"serein.app/services/generation/internal/meditation"
	"serein.app/services/platform/auth"
)

// Policy admits the gateway, acting for a member. Without a member the gateway may call the procedures for titles that need
// care, for the samples and for opening a share. The content service alone may call the narration procedures.
func Policy() auth.Policy {
	return auth.Policy{
		generationv1connect.MeditationServiceCreateMeditationProcedure:      Member,
		generationv1connect.MeditationServiceCheckTitleProcedure:            Anybody,
		generationv1connect.MeditationServiceGetMeditationProcedure:         Read,
		generationv1connect.MeditationServiceListMeditationsProcedure:       Read,
		generationv1connect.MeditationServiceBatchGetMeditationsProcedure:   {Services: Member.Services, Member: true, Delegated: true},
		generationv1connect.MeditationServiceCountMeditationsProcedure:      Member,
		generationv1connect.MeditationServiceWatchMeditationProcedure:       Member,
		generationv1connect.MeditationServiceCancelMeditationProcedure:      Member,
		generationv1connect.MeditationServiceMarkMeditationDeletedProcedure: Member,
		generationv1connect.MeditationServiceRecoverMeditationProcedure:     Member,
		generationv1connect.MeditationServiceRenameMeditationProcedure:      Member,
		generationv1connect.DraftServiceCreateDraftProcedure:                Member,
		generationv1connect.DraftServiceGetDraftProcedure:                   Member,
		generationv1connect.DraftServiceListDraftsProcedure:                 Member,
		generationv1connect.DraftServiceChangeLineProcedure:                 Member,
		generationv1connect.DraftServiceRewriteLineProcedure:                Member,
		generationv1connect.DraftServiceDeleteDraftProcedure:                Member,
		generationv1connect.ShareServiceShareMeditationProcedure:            Member,
		generationv1connect.ShareServiceGetShareProcedure:                   Member,
		generationv1connect.ShareServiceListSharesProcedure:                 Member,
		generationv1connect.ShareServiceEndShareProcedure:                   Member,
		generationv1connect.ShareServiceOpenShareProcedure:                  Anybody,
		generationv1connect.GroundingServiceGetGroundingProcedure:           Anybody,
		generationv1connect.SampleServiceGetSampleProcedure:                 Anybody,
		generationv1connect.SampleServiceListNarratorsProcedure:             Anybody,
		generationv1connect.NarrationServiceStartNarrationProcedure:         Content,
		generationv1connect.NarrationServiceGetNarrationProcedure:           Content,
		generationv1connect.NarrationServiceSpeakPassageProcedure:           Content,
	}
}

// Member is the rule for everything that belongs to a member, the audio included. Read is the rule for what an actor may
// also read for a member, and the content service on a member's behalf, which searches the member's own meditations.
// Anybody is the rule for the grounding and for CheckTitle, since a person who needs care may not be signed in, for the
// samples, and for what a share's link opens. Content is the rule for narrations.
var (
	Member  = auth.Rule{Services: []string{"gateway"}, Member: true}
	Read    = auth.Rule{Services: []string{"gateway", "content"}, Member: true, Delegated: true}
	Anybody = auth.Rule{Services: []string{"gateway"}}
	Content = auth.Rule{Services: []string{"content"}}
)

// Handler answers.
type Handler struct{ service *meditation.Service }

var _ generationv1connect.MeditationServiceHandler = (*Handler)(nil)

// New makes a Handler.
func New(s *meditation.Service) *Handler { return &Handler{s} }

// owned is the member who asks and the meditation that is asked for.
func owned(ctx context.Context, req interface{ GetId() string }) (uid, id uuid.UUID, err error) {
	if uid, err = auth.MemberID(ctx); err != nil {
		return uid, id, err
	}
	id, err = meditation.ParseID(req.GetId())
	return uid, id, err
}
