package inbox

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"google.golang.org/protobuf/proto"

	eventsv1 "serein.app/proto/gen/serein/events/v1"
	"serein.app/services/platform/bus"
	"serein.app/services/platform/postgres"
)

// Event is a received event, opened.
type Event[M proto.Message] struct {
	ID string
	// Time is when the change that it tells of was committed.
	Time time.Time
	// UID of the member it is about. An event that names none is refused.
	UID     uuid.UUID
	Payload M
}

// Consumer applies one kind of event in a transaction of the consuming service that records its
// id too: an event that comes twice is applied once. It is named "<service>-<aggregate>-<event>",
// for example "billing-user-confirmed".
func Consumer[M proto.Message](db *pgxpool.Pool, service string, apply func(ctx context.Context, tx pgx.Tx, event Event[M]) error) (bus.Consumer, error) {
	var kind M
	name, subject, err := bus.ConsumerOf(service, kind)
	if err != nil {
		return bus.Consumer{}, err
	}
	return bus.Consumer{
		Name: name, Subject: subject,
		Handle: func(ctx context.Context, envelope *eventsv1.Envelope) error {
			event, err := open[M](envelope)
			if err != nil {
				return err
			}
			return postgres.Translate(postgres.InTx(ctx, db, func(ctx context.Context, tx pgx.Tx) error {
				first, err := Once(ctx, tx, name, event.ID)
				if err != nil || !first {
					return err
				}
				return apply(ctx, tx, event)
			}), nil)
		},
	}, nil
}

func open[M proto.Message](envelope *eventsv1.Envelope) (Event[M], error) {
	fault := func(err error) (Event[M], error) {
		return Event[M]{}, fmt.Errorf("event %s: %w", envelope.GetId(), err)
	}
	payload, err := envelope.GetPayload().UnmarshalNew()
	if err != nil {
		return fault(err)
	}
	message, ok := payload.(M)
	if !ok {
		return fault(fmt.Errorf("it holds a %s", payload.ProtoReflect().Descriptor().FullName()))
	}
	event := Event[M]{ID: envelope.GetId(), Time: envelope.GetTime().AsTime(), Payload: message}
	if event.UID, err = uuid.Parse(envelope.GetUid()); err != nil {
		return fault(fmt.Errorf("the member it is about: %w", err))
	}
	return event, nil
}
