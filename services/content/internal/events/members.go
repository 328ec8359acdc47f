package events

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	eventsv1 "serein.app/proto/gen/serein/events/v1"
	"serein.app/services/platform/outbox"
)

// ItemLiked tells that a member likes an item, or does so no more.
func ItemLiked(uid uuid.UUID, id string, liked bool) outbox.Event {
	return outbox.Event{Aggregate: uid.String(), UID: uid.String(), Message: &eventsv1.ItemLiked{Uid: uid.String(), ItemId: id, Liked: liked}}
}

// ItemSaved tells that a member keeps an item, or does so no more.
func ItemSaved(uid uuid.UUID, id string, saved bool) outbox.Event {
	return outbox.Event{Aggregate: uid.String(), UID: uid.String(), Message: &eventsv1.ItemSaved{Uid: uid.String(), ItemId: id, Saved: saved}}
}

// Members forgets what they like, keep and have heard: of one, or of a meditation of their own.
type Members interface {
	ForgetMember(ctx context.Context, tx pgx.Tx, uid uuid.UUID) error
	ForgetBespoke(ctx context.Context, tx pgx.Tx, id uuid.UUID) error
}
