// Package events builds the domain events that the service publishes. They hold plain fields
// alone: the script and the audio never leave in an event.
package events

import (
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/timestamppb"

	eventsv1 "serein.app/proto/gen/serein/events/v1"
	generationv1 "serein.app/proto/gen/serein/generation/v1"
	"serein.app/services/generation/internal/meditation"
	"serein.app/services/platform/outbox"
)

// Requested says that the cost is held and the work queued.
func Requested(m meditation.Meditation) outbox.Event {
	return event(m, &eventsv1.GenerationRequested{
		MeditationId: m.ID.String(), Uid: m.UID.String(), Title: m.Title, TypeId: m.TypeID,
		PracticeId: m.PracticeID, SizeId: m.SizeID, Immersive: m.Immersive,
	})
}

// Progressed says that the work entered another stage.
func Progressed(m meditation.Meditation) outbox.Event {
	return event(m, &eventsv1.GenerationProgressed{
		MeditationId: m.ID.String(), Uid: m.UID.String(), Stage: Stage(m.State).String(),
	})
}

// Completed says that the recording is kept and paid for.
func Completed(m meditation.Meditation) outbox.Event {
	return event(m, &eventsv1.GenerationCompleted{
		MeditationId: m.ID.String(), Uid: m.UID.String(), Title: m.Title, DurationMs: m.ReadyFor.Milliseconds(),
		EndedEarly: m.EndedEarly,
	})
}

// Ended says what became of work that ended without a recording, once its credits are back.
func Ended(m meditation.Meditation) outbox.Event {
	if m.State == meditation.Refunded {
		return Refunded(m)
	}
	return Failed(m)
}

// Refunded says that the recording was paid for and lost, and its credits are back.
func Refunded(m meditation.Meditation) outbox.Event {
	return event(m, &eventsv1.GenerationRefunded{MeditationId: m.ID.String(), Uid: m.UID.String(), Credits: int64(m.Cost)})
}

// Failed says that the work ended without a recording, and its hold is released. It is also the event of cancelled work,
// with the reason "cancelled".
func Failed(m meditation.Meditation) outbox.Event {
	reason := m.FailureReason
	if m.State == meditation.Cancelled {
		reason = meditation.ReasonCancelled
	}
	return event(m, &eventsv1.GenerationFailed{MeditationId: m.ID.String(), Uid: m.UID.String(), Reason: reason})
}

// MarkedDeleted says that the member marked it deleted, and when it goes.
func MarkedDeleted(m meditation.Meditation) outbox.Event {
	return event(m, &eventsv1.BespokeDeleted{MeditationId: m.ID.String(), Uid: m.UID.String(), PurgeAt: timestamppb.New(m.DeletesAt)})
}

// Recovered says that the member took the mark back.
func Recovered(m meditation.Meditation) outbox.Event {
	return event(m, &eventsv1.BespokeRecovered{MeditationId: m.ID.String(), Uid: m.UID.String()})
}

// Renamed says what the member calls it now.
func Renamed(m meditation.Meditation) outbox.Event {
	return event(m, &eventsv1.BespokeRenamed{MeditationId: m.ID.String(), Uid: m.UID.String(), Title: m.Name()})
}

// Purged says that its words and its files are gone.
func Purged(m meditation.Meditation) outbox.Event {
	return event(m, &eventsv1.BespokePurged{MeditationId: m.ID.String(), Uid: m.UID.String()})
}

// Erased tells that nothing is kept of the member whose account was deleted.
func Erased(deletion string) proto.Message { return &eventsv1.GenerationErased{DeletionId: deletion} }

func event(m meditation.Meditation, message proto.Message) outbox.Event {
	return outbox.Event{Aggregate: m.ID.String(), UID: m.UID.String(), Message: message}
}

// Stage is the contract's name of a state.
func Stage(s meditation.State) generationv1.Stage {
	switch s {
	case meditation.Holding, meditation.Queued:
		return generationv1.Stage_STAGE_LISTENING
	case meditation.Writing:
		return generationv1.Stage_STAGE_WRITING
	case meditation.Narrating:
		return generationv1.Stage_STAGE_NARRATING
	case meditation.Finishing:
		return generationv1.Stage_STAGE_FINISHING
	case meditation.Ready:
		return generationv1.Stage_STAGE_READY
	case meditation.Failed, meditation.Abandoned:
		return generationv1.Stage_STAGE_FAILED
	case meditation.Refunded:
		return generationv1.Stage_STAGE_REFUNDED
	case meditation.Cancelled:
		return generationv1.Stage_STAGE_CANCELLED
	case meditation.Deleted:
		return generationv1.Stage_STAGE_DELETED
	}
	return generationv1.Stage_STAGE_UNSPECIFIED
}
