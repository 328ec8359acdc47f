package bus

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"go.opentelemetry.io/otel/propagation"
	"google.golang.org/protobuf/proto"

	eventsv1 "serein.app/proto/gen/serein/events/v1"
	"serein.app/services/platform/errs"
	"serein.app/services/platform/telemetry"
)

// How consumers behave.
const (
	// fetchTime is how long one request for messages waits. After it the consumer notices that
	// it was deleted with its stream.
	fetchTime = 5 * time.Second
	// ackTime: a message whose handling takes longer is delivered again.
	ackTime = 30 * time.Second
	// giveUp is after how many deliveries a message that fails by itself goes to the dead
	// letters. With the delays below that is about four minutes.
	giveUp = 12
)

// Consumer declares who reacts to what.
type Consumer struct {
	// Name is durable and unique, for example "billing-user-confirmed".
	Name string
	// Subject is serein.<service>.<aggregate>.<event>.v1; the stream of that service is read.
	Subject string
	// Handle applies the event. It must record the event's id in its transaction (package
	// inbox), since an event can come more than once. An error brings it back later.
	Handle func(ctx context.Context, event *eventsv1.Envelope) error
}

// Consume handles events until ctx ends. It declares the stream and the durable consumer, and
// declares them again when they are lost.
func (b *Bus) Consume(ctx context.Context, c Consumer) error {
	for ctx.Err() == nil {
		consumer, err := b.declare(ctx, c)
		if err == nil {
			err = b.fetchAll(ctx, c, consumer)
		}
		if err != nil && ctx.Err() == nil {
			level := slog.LevelDebug // the connection has warned already
			if b.conn.IsConnected() {
				level = slog.LevelWarn
			}
			b.log.Log(ctx, level, "consumer starts again", "consumer", c.Name, "error", err)
			pause(ctx, 500*time.Millisecond)
		}
	}
	return nil
}

func (b *Bus) declare(ctx context.Context, c Consumer) (jetstream.Consumer, error) {
	service, err := Publisher(c.Subject)
	if err != nil {
		return nil, err
	}
	if _, err := b.EnsureStream(ctx, service); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	return b.js.CreateOrUpdateConsumer(ctx, StreamName(service), jetstream.ConsumerConfig{
		Durable: c.Name, FilterSubject: c.Subject, DeliverPolicy: jetstream.DeliverAllPolicy,
		AckPolicy: jetstream.AckExplicitPolicy, AckWait: ackTime, MaxDeliver: -1,
		// One at a time keeps the order of an aggregate's events.
		MaxAckPending: 1,
	})
}

func (b *Bus) fetchAll(ctx context.Context, c Consumer, consumer jetstream.Consumer) error {
	for ctx.Err() == nil {
		if err := b.fetchOne(ctx, c, consumer); err != nil {
			return err
		}
	}
	return nil
}

func (b *Bus) fetchOne(ctx context.Context, c Consumer, consumer jetstream.Consumer) error {
	wait, cancel := context.WithTimeout(ctx, fetchTime)
	defer cancel()
	batch, err := consumer.Fetch(1, jetstream.FetchContext(wait))
	if err != nil {
		return err
	}
	for msg := range batch.Messages() {
		b.deliver(ctx, c, msg)
	}
	if err := batch.Error(); err != nil && !errors.Is(err, nats.ErrTimeout) && !errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return nil
}

func (b *Bus) deliver(ctx context.Context, c Consumer, msg jetstream.Msg) {
	meta, err := msg.Metadata()
	if err != nil {
		b.log.ErrorContext(ctx, "message without metadata", "consumer", c.Name, "error", err)
		return
	}
	ctx, cancel := context.WithTimeout(ctx, ackTime)
	defer cancel()
	err = b.handle(ctx, c, msg)
	switch {
	case err == nil:
		// A lost acknowledgement brings the message again, and the inbox knows it.
		err = msg.DoubleAck(ctx)
	case meta.NumDelivered >= giveUp && errs.KindOf(err) != errs.Unavailable:
		b.log.ErrorContext(ctx, "event given up", "consumer", c.Name, "subject", msg.Subject(), "error", err)
		err = b.bury(ctx, c, msg)
	default:
		b.log.WarnContext(ctx, "event comes again", "consumer", c.Name, "subject", msg.Subject(),
			"delivery", meta.NumDelivered, "error", err)
		err = msg.NakWithDelay(delay(meta.NumDelivered))
	}
	if err != nil && ctx.Err() == nil {
		b.log.WarnContext(ctx, "acknowledgement failed", "consumer", c.Name, "error", err)
	}
}

func (b *Bus) handle(ctx context.Context, c Consumer, msg jetstream.Msg) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("handler panicked: %v\n%s", p, debug.Stack())
		}
	}()
	event := new(eventsv1.Envelope)
	if err := proto.Unmarshal(msg.Data(), event); err != nil {
		return fmt.Errorf("not an event: %w", err)
	}
	ctx = telemetry.Propagator.Extract(ctx, propagation.MapCarrier{"traceparent": event.GetTraceparent()})
	return c.Handle(ctx, event)
}

// bury keeps the message on the dead letters' stream, then ends it.
func (b *Bus) bury(ctx context.Context, c Consumer, msg jetstream.Msg) error {
	if _, err := b.ensure(ctx, DeadStream, "serein.dead.>"); err != nil {
		return err
	}
	dead := &nats.Msg{Subject: "serein.dead." + c.Name, Data: msg.Data(), Header: nats.Header{"Serein-Subject": {msg.Subject()}}}
	if _, err := b.js.PublishMsg(ctx, dead); err != nil {
		return err
	}
	return msg.Term()
}

// delay before the next delivery: 1, 2, 4 … 30 seconds.
func delay(delivered uint64) time.Duration {
	return min(time.Second<<min(delivered-1, 5), 30*time.Second)
}

func pause(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	}
}
