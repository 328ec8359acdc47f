package events

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"google.golang.org/protobuf/proto"

	eventsv1 "serein.app/proto/gen/serein/events/v1"
	"serein.app/services/basket/internal/basket"
	"serein.app/services/platform/bus"
	"serein.app/services/platform/inbox"
)

// Members is what events change, in the caller's transaction.
type Members interface {
	// Complete takes what an order bought out of the member's basket and keeps it as purchased, once an order.
	Complete(ctx context.Context, tx pgx.Tx, uid, orderID uuid.UUID, at time.Time, lines []basket.Purchased) error
	// Forget removes all that is kept of a member.
	Forget(ctx context.Context, tx pgx.Tx, uid uuid.UUID) error
}

// Consumes are the events that basket hears, an empty message of each.
func Consumes() []proto.Message {
	return []proto.Message{new(eventsv1.OrderCompleted), new(eventsv1.UserDeleted)}
}

// Consumers apply the events, each in one transaction that notes it.
func Consumers(db *pgxpool.Pool, service string, members Members) ([]bus.Consumer, error) {
	completed, err := inbox.Consumer(db, service, func(ctx context.Context, tx pgx.Tx, event inbox.Event[*eventsv1.OrderCompleted]) error {
		orderID, lines, err := bought(event)
		if err != nil {
			return err
		}
		return members.Complete(ctx, tx, event.UID, orderID, at(event), lines)
	})
	if err != nil {
		return nil, err
	}
	deleted, err := inbox.Consumer(db, service, func(ctx context.Context, tx pgx.Tx, event inbox.Event[*eventsv1.UserDeleted]) error {
		return members.Forget(ctx, tx, event.UID)
	})
	return []bus.Consumer{completed, deleted}, err
}

// at is when the order was completed.
func at(event inbox.Event[*eventsv1.OrderCompleted]) time.Time {
	if completed := event.Payload.GetCompletedAt(); completed != nil {
		return completed.AsTime()
	}
	return event.Time
}

// bought are the lines of the order; one that bought nothing is refused, and so is the event.
func bought(event inbox.Event[*eventsv1.OrderCompleted]) (orderID uuid.UUID, lines []basket.Purchased, err error) {
	if orderID, err = uuid.Parse(event.Payload.GetOrderId()); err != nil {
		return orderID, nil, fmt.Errorf("event %s: the order: %w", event.ID, err)
	}
	for i, l := range event.Payload.GetLines() {
		if l.GetQuantity() < 1 {
			return orderID, nil, fmt.Errorf("event %s: order %s: line %d bought %d", event.ID, orderID, i, l.GetQuantity())
		}
		lines = append(lines, basket.Purchased{
			Position: int32(i), ProductID: l.GetProductId(), Name: l.GetName(), Size: l.GetSize(), Quantity: l.GetQuantity(),
			UnitAmount: l.GetUnitAmount(), Currency: l.GetCurrency(),
		})
	}
	return orderID, lines, nil
}
