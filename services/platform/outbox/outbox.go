// Package outbox makes a state change and its event one transaction: Add writes a row beside
// the change, a relay publishes the rows afterwards. So an event is never lost, and never
// published for a change that was rolled back.
package outbox

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"go.opentelemetry.io/otel/metric"
	"go.opentelemetry.io/otel/propagation"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/anypb"
	"google.golang.org/protobuf/types/known/timestamppb"

	eventsv1 "serein.app/proto/gen/serein/events/v1"
	"serein.app/services/platform/bus"
	"serein.app/services/platform/telemetry"
)

// Event is a fact that other services may want to know.
type Event struct {
	// Aggregate is the id of the thing that changed. Lock its row first, so that its events
	// keep their order.
	Aggregate string
	// UID of the member that the event is about; empty for an event about no member.
	UID string
	// Message says by its option where it is published.
	Message proto.Message
}

// Row is an event as the table keeps it, for services whose SQL functions write it themselves.
type Row struct {
	ID      uuid.UUID
	Subject string
	// Payload is the marshalled Envelope.
	Payload []byte
}

// Outbox is the outbox of one service.
type Outbox struct {
	db      *pgxpool.Pool
	bus     *bus.Bus
	service string
	log     *slog.Logger
	now     func() time.Time
	wake    chan struct{}
	metrics metrics
	// rest waits before the next attempt after a failure.
	rest func(ctx context.Context, d time.Duration)
}

// New makes the outbox of a service; Run must be running for its events to leave.
func New(db *pgxpool.Pool, b *bus.Bus, service string, log *slog.Logger, now func() time.Time) *Outbox {
	return &Outbox{
		db: db, bus: b, service: service, log: log, now: now, wake: make(chan struct{}, 1),
		rest: func(ctx context.Context, d time.Duration) { sleep(ctx, nil, d) },
	}
}

// Measure makes the outbox's metrics; call it before Run.
func (o *Outbox) Measure(meters metric.MeterProvider) (err error) {
	o.metrics, err = newMetrics(meters)
	return err
}

// Add writes the event in the transaction of the change and wakes the relay.
func (o *Outbox) Add(ctx context.Context, tx pgx.Tx, e Event) error {
	row, err := o.Row(ctx, e)
	if err != nil {
		return err
	}
	if _, err := tx.Exec(ctx, `INSERT INTO outbox (id, subject, payload) VALUES ($1, $2, $3)`, row.ID, row.Subject, row.Payload); err != nil {
		return fmt.Errorf("add event %s: %w", row.Subject, err)
	}
	o.Wake()
	return nil
}

// Row makes the row of an event without writing it; call Wake when it is written.
func (o *Outbox) Row(ctx context.Context, e Event) (Row, error) {
	subject, err := bus.Subject(e.Message)
	if err != nil {
		return Row{}, err
	}
	id, err := uuid.NewV7()
	if err != nil {
		return Row{}, err
	}
	payload, err := anypb.New(e.Message)
	if err != nil {
		return Row{}, fmt.Errorf("event %s: %w", subject, err)
	}
	data, err := proto.Marshal(&eventsv1.Envelope{
		Id: id.String(), Time: timestamppb.New(o.now()), Uid: e.UID,
		Traceparent: traceparent(ctx), AggregateId: e.Aggregate, Payload: payload,
	})
	if err != nil {
		return Row{}, fmt.Errorf("event %s: %w", subject, err)
	}
	if len(data) > MaxBytes {
		return Row{}, fmt.Errorf("event %s is too large: %d bytes, at most %d", subject, len(data), MaxBytes)
	}
	return Row{ID: id, Subject: subject, Payload: data}, nil
}

// MaxBytes of an event, with its envelope: half of what the broker takes on one machine and an
// eighth of what brokers usually take, so that its dead letter fits as well. Events tell of changes;
// what is large is asked for.
const MaxBytes = 128 << 10

// Wake tells the relay that rows are coming.
func (o *Outbox) Wake() {
	select {
	case o.wake <- struct{}{}:
	default:
	}
}

// Replay marks the events that were published since then as unpublished, so that a running relay
// publishes them again; consumers know those that they have handled. It gives their number. This is for
// dead letters, and for a stream that was changed by hand: what a stream loses or sheds by itself goes out
// again without it. What was written more than 30 days ago stays, since it may be forgotten.
func Replay(ctx context.Context, db *pgxpool.Pool, since time.Time) (int64, error) {
	var now time.Time
	err := db.QueryRow(ctx, "SELECT now()").Scan(&now)
	if err != nil {
		return 0, fmt.Errorf("replay: %w", err)
	}
	again, err := republish(ctx, db, now.Add(-keep), since, now, true)
	if err != nil {
		return again, fmt.Errorf("replay: %w", err)
	}
	return again, nil
}

func traceparent(ctx context.Context) string {
	c := propagation.MapCarrier{}
	telemetry.Propagator.Inject(ctx, c)
	return c["traceparent"]
}
