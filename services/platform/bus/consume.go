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
	// fetchTime is how long one request for messages waits. A stream that was deleted, with its
	// consumers, is noticed at the next request.
	fetchTime = 5 * time.Second
	// maxDeliveries of an event that fails by itself; then it goes to the dead letters. With the
	// delays below that is about four minutes.
	maxDeliveries = 12
)

// pace is how long things may take; tests have less patience.
type pace struct {
	// handle bounds one handling of an event.
	handle time.Duration
	// ack: an event that is not acknowledged for so long is delivered again. It is longer than
	// handle, so that there is time to say what became of it.
	ack time.Duration
	// delay before the next delivery of an event that was delivered so often.
	delay func(delivered uint64) time.Duration
}

// usual pace: retries after 1, 2, 4 … 30 seconds.
func usual() pace {
	return pace{handle: 30 * time.Second, ack: 30*time.Second + 3*askTime, delay: func(delivered uint64) time.Duration {
		return min(time.Second<<min(delivered-1, 5), 30*time.Second)
	}}
}

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

// Consume handles events until ctx ends. It declares the durable consumer, and declares it again
// when it is lost. The stream is its owner's to declare: until then there is nothing to handle.
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
	owner, err := b.of(service)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	return owner.CreateOrUpdateConsumer(ctx, StreamName(service), jetstream.ConsumerConfig{
		Durable: c.Name, FilterSubject: c.Subject, DeliverPolicy: jetstream.DeliverAllPolicy,
		AckPolicy: jetstream.AckExplicitPolicy, AckWait: b.pace.ack, MaxDeliver: -1,
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

// deliver handles one message and tells the broker what became of it, each within its own time:
// a handler that used up all of its time is acknowledged, or dead-lettered, like any other.
func (b *Bus) deliver(ctx context.Context, c Consumer, msg jetstream.Msg) {
	meta, err := msg.Metadata()
	if err != nil {
		b.log.ErrorContext(ctx, "message without metadata", "consumer", c.Name, "error", err)
		return
	}
	handled := b.handle(ctx, c, msg)
	stopping := ctx.Err() != nil // then a failure is not the event's
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), askTime)
	defer cancel()
	switch {
	case handled == nil:
		// A lost acknowledgement brings the message again, and the inbox knows it.
		err = msg.DoubleAck(ctx)
	case meta.NumDelivered >= maxDeliveries && !stopping && errs.KindOf(handled) != errs.Unavailable:
		b.log.ErrorContext(ctx, "event dead-lettered", "consumer", c.Name, "subject", msg.Subject(), "error", handled)
		err = b.deadLetter(ctx, c, msg)
	default:
		b.log.WarnContext(ctx, "event comes again", "consumer", c.Name, "subject", msg.Subject(),
			"delivery", meta.NumDelivered, "error", handled)
		err = msg.NakWithDelay(b.pace.delay(meta.NumDelivered))
	}
	if err != nil {
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
	ctx, cancel := context.WithTimeout(ctx, b.pace.handle)
	defer cancel()
	ctx = telemetry.Propagator.Extract(ctx, propagation.MapCarrier{"traceparent": event.GetTraceparent()})
	return c.Handle(ctx, event)
}

// deadLetter keeps the message on the dead letters' stream, then ends it.
func (b *Bus) deadLetter(ctx context.Context, c Consumer, msg jetstream.Msg) error {
	if err := b.EnsureDeadLetters(ctx); err != nil {
		return err
	}
	dead := &nats.Msg{Subject: "serein_dead." + b.service + "." + c.Name, Data: msg.Data(), Header: nats.Header{SubjectHeader: {msg.Subject()}}}
	if _, err := b.js.PublishMsg(ctx, dead); err != nil {
		return err
	}
	return msg.Term()
}

func pause(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	}
}
