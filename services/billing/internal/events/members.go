package events

import (
	"github.com/google/uuid"
	"google.golang.org/protobuf/types/known/timestamppb"

	eventsv1 "serein.app/proto/gen/serein/events/v1"
	"serein.app/services/billing/internal/credits"
	"serein.app/services/platform/outbox"
)

// CreditsLow tells that little is left to spend of a grant.
func CreditsLow(uid uuid.UUID, available int64, low credits.Low) outbox.Event {
	told := &eventsv1.CreditsLow{Uid: uid.String(), Available: available, Grant: low.Grant, TopUp: low.TopUp}
	if !low.ReplacedAt.IsZero() {
		told.ReplacedAt = timestamppb.New(low.ReplacedAt)
	}
	return about(uid, told)
}

// ReferralRewarded tells one of the two that a friend's first membership was paid.
func ReferralRewarded(uid uuid.UUID, amount int64, friend bool) outbox.Event {
	return about(uid, &eventsv1.ReferralRewarded{Uid: uid.String(), Credits: amount, Friend: friend})
}

// ReferralTakenBack tells one of the two that the reward went with the membership's money, as far as it was unspent.
func ReferralTakenBack(uid uuid.UUID, taken int64) outbox.Event {
	return about(uid, &eventsv1.ReferralTakenBack{Uid: uid.String(), Credits: taken})
}
