package rpc

import (
	generationv1 "serein.app/proto/gen/serein/generation/v1"
	"serein.app/proto/gen/serein/generation/v1/generationv1connect"
	"serein.app/services/generation/internal/publication"
	"serein.app/services/generation/internal/recording"
)

// Narrations answers the NarrationService.
type Narrations struct{ service *publication.Service }

var _ generationv1connect.NarrationServiceHandler = (*Narrations)(nil)

// NewNarrations makes a Narrations.
func NewNarrations(s *publication.Service) *Narrations { return &Narrations{s} }

func toProtoNarration(n publication.Narration) *generationv1.Narration {
	out := &generationv1.Narration{
		Id: n.ID, Stage: narrationStage(n.State), PassagesDone: int32(n.Done), PassagesTotal: int32(n.Total),
		NarratorName: n.NarratorName, FailureReason: n.FailureReason,
	}
	if n.State == publication.Ready {
		out.DurationMs, out.Bytes = n.Duration.Milliseconds(), n.Bytes
	}
	return out
}

func narrationStage(s publication.State) generationv1.NarrationStage {
	switch s {
	case publication.Waiting:
		return generationv1.NarrationStage_NARRATION_STAGE_WAITING
	case publication.Narrating:
		return generationv1.NarrationStage_NARRATION_STAGE_NARRATING
	case publication.Ready:
		return generationv1.NarrationStage_NARRATION_STAGE_READY
	case publication.Failed:
		return generationv1.NarrationStage_NARRATION_STAGE_FAILED
	}
	return generationv1.NarrationStage_NARRATION_STAGE_UNSPECIFIED
}

func fromProtoPassage(p *generationv1.Passage) recording.Passage {
	return recording.Passage{Sentences: p.GetSentences(), Pause: milliseconds(p.GetPauseMs())}
}
