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
	"serein.app/services/platform/erasure"
	"serein.app/services/platform/inbox"
)

// Members is what events change, in the caller's transaction.
type Members interface {
	// Complete keeps what an order bought as purchased, once an order, and takes it out of the member's basket where it came from
	// there.
	Complete(ctx context.Context, tx pgx.Tx, uid uuid.UUID, o basket.Order) error
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
		o, err := order(event)
		if err != nil {
			return err
		}
		return members.Complete(ctx, tx, event.UID, o)
	})
	if err != nil {
		return nil, err
	}
	deleted, err := erasure.Consumer(db, service, members.Forget)
	return []bus.Consumer{completed, deleted}, err
}

// at is when the order was completed.
func at(event inbox.Event[*eventsv1.OrderCompleted]) time.Time {
	if completed := event.Payload.GetCompletedAt(); completed != nil {
		return completed.AsTime()
	}
	return event.Time
}

// cause of the order; one that was told without was made by a checkout.
func cause(event inbox.Event[*eventsv1.OrderCompleted]) basket.Cause {
	if told := event.Payload.GetCause(); told != "" {
		return basket.Cause(told)
	}
	return basket.Checkout
}

// order is what the event tells of; one that bought nothing is refused, and so is the event.
func order(event inbox.Event[*eventsv1.OrderCompleted]) (o basket.Order, err error) {
	if o.ID, err = uuid.Parse(event.Payload.GetOrderId()); err != nil {
		return o, fmt.Errorf("event %s: the order: %w", event.ID, err)
	}
	o.At, o.Cause = at(event), cause(event)
	if ordered := event.Payload.GetOrderedAt(); ordered != nil {
		o.OrderedAt = ordered.AsTime()
	}
	for i, l := range event.Payload.GetLines() {
		if l.GetQuantity() < 1 {
			return o, fmt.Errorf("event %s: order %s: line %d bought %d", event.ID, o.ID, i, l.GetQuantity())
		}
		o.Lines = append(o.Lines, basket.Purchased{
			Position: int32(i), ProductID: l.GetProductId(), Name: l.GetName(), Size: l.GetSize(), Quantity: l.GetQuantity(),
			UnitAmount: l.GetUnitAmount(), Currency: l.GetCurrency(),
		})
	}
	return o, nil
}
