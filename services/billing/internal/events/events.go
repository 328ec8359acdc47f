// Package events builds the events of what happened to credits and orders, and consumes those of members and of the catalogue.
// Builders only fill messages; who writes them, and with which change, is the store's part.
package events

import (
	"time"

	"github.com/google/uuid"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/timestamppb"

	eventsv1 "serein.app/proto/gen/serein/events/v1"
	"serein.app/services/billing/internal/credits"
	"serein.app/services/platform/outbox"
)

// Reasons of a release.
const (
	Released = "released"
	Expired  = "expired"
)

// TrialStarted tells that a trial began, the longer one for who was invited.
func TrialStarted(uid uuid.UUID, starts, ends time.Time, amount int64, invited bool) outbox.Event {
	return about(uid, &eventsv1.TrialStarted{
		Uid: uid.String(), StartsAt: timestamppb.New(starts), EndsAt: timestamppb.New(ends), Credits: amount, Invited: invited,
	})
}

// CreditsGranted tells that credits were added.
func CreditsGranted(g credits.Grant) outbox.Event {
	return about(g.UID, &eventsv1.CreditsGranted{Uid: g.UID.String(), Amount: g.Amount, Cause: g.Cause})
}

// CreditsHeld tells that credits were set aside.
func CreditsHeld(h credits.Hold) outbox.Event {
	return about(h.UID, &eventsv1.CreditsHeld{
		Uid: h.UID.String(), HoldId: h.ID.String(), PlanCredits: h.Plan, TopUpCredits: h.TopUp, Reference: h.Reference,
	})
}

// CreditsSpent tells that a hold was captured.
func CreditsSpent(h credits.Hold) outbox.Event {
	return about(h.UID, &eventsv1.CreditsSpent{
		Uid: h.UID.String(), HoldId: h.ID.String(), PlanCredits: h.Plan, TopUpCredits: h.TopUp, Reference: h.Reference,
	})
}

// CreditsReleased tells that a hold ended without a charge, and why.
func CreditsReleased(h credits.Hold, reason string) outbox.Event {
	return about(h.UID, &eventsv1.CreditsReleased{
		Uid: h.UID.String(), HoldId: h.ID.String(), Amount: h.Plan + h.TopUp, Reference: h.Reference, Reason: reason,
	})
}

// CreditsRefunded tells that what a captured hold had paid for was lost, and its credits are back.
func CreditsRefunded(h credits.Hold) outbox.Event {
	return about(h.UID, &eventsv1.CreditsRefunded{
		Uid: h.UID.String(), HoldId: h.ID.String(), Amount: h.Plan + h.TopUp, Reference: h.Reference,
	})
}

// about makes the member the aggregate: the balance row's lock orders a member's events.
func about(uid uuid.UUID, m proto.Message) outbox.Event {
	return outbox.Event{Aggregate: uid.String(), UID: uid.String(), Message: m}
}
