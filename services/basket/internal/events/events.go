// Package events tells other services what members did with their baskets, and hears what they have bought and who has left.
package events

import (
	"github.com/google/uuid"
	"google.golang.org/protobuf/proto"

	eventsv1 "serein.app/proto/gen/serein/events/v1"
	"serein.app/services/basket/internal/basket"
	"serein.app/services/platform/outbox"
)

// Changed tells that a member's basket is another than before. It counts all lines, those saved for later included.
func Changed(uid uuid.UUID, b basket.Basket) outbox.Event {
	return about(uid, b.ID, &eventsv1.BasketChanged{Uid: uid.String(), BasketId: b.ID.String(), LineCount: int32(len(b.Lines))})
}

// CheckedOut tells that an order was made of a member's basket.
func CheckedOut(uid, basketID, orderID uuid.UUID) outbox.Event {
	return about(uid, basketID, &eventsv1.BasketCheckedOut{Uid: uid.String(), BasketId: basketID.String(), OrderId: orderID.String()})
}

// Erased tells that nothing is kept of the member whose account was deleted.
func Erased(deletion string) proto.Message { return &eventsv1.BasketErased{DeletionId: deletion} }

func about(uid, basketID uuid.UUID, m proto.Message) outbox.Event {
	return outbox.Event{Aggregate: basketID.String(), UID: uid.String(), Message: m}
}
