package inbox

import (
	"context"
	"errors"
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
	// ID as PostgreSQL writes it, whatever its spelling in the envelope.
	ID string
	// Time is when the change that it tells of was committed.
	Time time.Time
	// UID of the member it is about; uuid.Nil where the message has no uid and so is about nobody. An event of another
	// kind that names none is refused.
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
	a := applier[M]{name: name, apply: apply}
	return bus.Consumer{
		Name: name, Subject: subject,
		Handle: func(ctx context.Context, envelope *eventsv1.Envelope) error {
			return a.all(ctx, db, []*eventsv1.Envelope{envelope})
		},
		Exclusive: func(ctx context.Context, work func(ctx context.Context, apply bus.Apply) error) (bool, error) {
			led, err := postgres.Lead(ctx, db, "serein.consumer."+name, func(ctx context.Context, conn *pgxpool.Conn) error {
				return a.lead(ctx, conn, work)
			})
			return led, postgres.Translate(err, nil)
		},
	}, nil
}

// applier applies a consumer's events.
type applier[M proto.Message] struct {
	name  string
	apply func(ctx context.Context, tx pgx.Tx, event Event[M]) error
}

// lead works on the connection that holds the consumer's lock. If that connection is lost, its transactions are
// rolled back with it, so the next leader is the only one that applies events.
func (a applier[M]) lead(ctx context.Context, conn *pgxpool.Conn, work func(ctx context.Context, apply bus.Apply) error) error {
	ctx, lost := context.WithCancelCause(ctx)
	defer lost(nil)
	err := work(ctx, func(ctx context.Context, envelopes []*eventsv1.Envelope) error {
		err := a.all(ctx, conn, envelopes)
		if conn.Conn().IsClosed() {
			lost(errLost)
		}
		return err
	})
	if err == nil && context.Cause(ctx) == errLost { //nolint:errorlint // it is the cause itself
		return errLost
	}
	return err
}

var errLost = errors.New("the connection that led is lost")

// all applies the events in one transaction.
func (a applier[M]) all(ctx context.Context, db postgres.Beginner, envelopes []*eventsv1.Envelope) error {
	events := make([]Event[M], len(envelopes))
	ids := make([]string, len(envelopes))
	for i, envelope := range envelopes {
		event, err := open[M](envelope)
		if err != nil {
			return err
		}
		events[i], ids[i] = event, event.ID
	}
	return postgres.Translate(postgres.InTx(ctx, db, func(ctx context.Context, tx pgx.Tx) error {
		first, err := record(ctx, tx, a.name, ids)
		if err != nil {
			return err
		}
		for _, event := range events {
			if !first[event.ID] {
				continue
			}
			delete(first, event.ID) // it may be there twice
			if err := a.apply(ctx, tx, event); err != nil {
				return err
			}
		}
		return nil
	}), nil)
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
	id, err := uuid.Parse(envelope.GetId())
	if err != nil {
		return fault(fmt.Errorf("its id: %w", err))
	}
	event := Event[M]{ID: id.String(), Time: envelope.GetTime().AsTime(), Payload: message}
	if message.ProtoReflect().Descriptor().Fields().ByName("uid") == nil && envelope.GetUid() == "" {
		return event, nil
	}
	if event.UID, err = uuid.Parse(envelope.GetUid()); err != nil {
		return fault(fmt.Errorf("the member it is about: %w", err))
	}
	return event, nil
}
