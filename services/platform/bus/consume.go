package bus

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	eventsv1 "serein.app/proto/gen/serein/events/v1"
	"serein.app/services/platform/failpoint"
	"serein.app/services/platform/pause"
)

// How consumers behave.
const (
	// fetchTime is how long one request for messages waits. A stream that was deleted, with its
	// consumers, is noticed at the next request.
	fetchTime = 5 * time.Second
	// maxDeliveries of an event that fails by itself; then it goes to the dead letters. With the
	// delays below that is about four minutes.
	maxDeliveries = 12
	// batchSize is how many events an exclusive consumer has in its hands at most.
	batchSize = 128
	// restart is the pause before a consumer begins again, followPoll before a replica asks again
	// whether it is its turn.
	restart    = 500 * time.Millisecond
	followPoll = 3 * time.Second
	// seenEvery is how often it is written down how far a consumer is, and how many events wait for it.
	seenEvery = time.Minute
	// handleTime bounds one handling, and deadTime is how long an event waits for a process that died at a failpoint.
	handleTime = 30 * time.Second
	deadTime   = time.Second
	// mostAckWait is how long a consumer may have the broker wait for a word about an event.
	mostAckWait = 5 * time.Minute
)

// pace is how long things may take; tests have less patience.
type pace struct {
	// handle bounds one handling of an event, or of several at once.
	handle time.Duration
	// ack: an event of which nothing is heard for so long is delivered again.
	ack time.Duration
	// delay before the next attempt at an event that failed so often.
	delay func(failed uint64) time.Duration
	// ping is how often the broker is asked whether it is there.
	ping time.Duration
}

// usual pace: retries after 1, 2, 4 … 30 seconds. A build whose processes die on purpose has less patience with the dead, and the
// inbox knows what comes again too early.
func usual() pace {
	ack := handleTime + 3*askTime
	if failpoint.Built {
		ack = deadTime
	}
	return pace{ping: pingEvery, handle: handleTime, ack: ack, delay: func(failed uint64) time.Duration {
		return min(time.Second<<min(failed-1, 5), 30*time.Second)
	}}
}

// Apply applies events in one transaction: all of them or none.
type Apply func(ctx context.Context, events []*eventsv1.Envelope) error

// Consumer declares who reacts to what.
type Consumer struct {
	// Name is durable and unique, for example "billing-user-confirmed".
	Name string
	// Subject is serein.<service>.<aggregate>.<event>.v1; the stream of that service is read.
	Subject string
	// Handle applies the event. It must record the event's id in its transaction (package
	// inbox), since an event can come more than once. An error brings it back later.
	Handle func(ctx context.Context, event *eventsv1.Envelope) error
	// Exclusive does work while no other replica does, and gives it what applies many events at once;
	// it says whether it was this replica's turn. nil handles events one at a time.
	Exclusive func(ctx context.Context, work func(ctx context.Context, apply Apply) error) (bool, error)
}

// Consume handles events until ctx ends. It has the durable consumer declared by the service that it
// hears, and again when it is lost. Until that service has declared its stream there is nothing to handle.
func (b *Bus) Consume(ctx context.Context, c Consumer) error {
	for ctx.Err() == nil {
		mine := true
		var err error
		if !b.conn.IsConnected() {
			_ = pause.For(ctx, restart)
			continue
		}
		if c.Exclusive == nil {
			err = b.read(ctx, c, 1, func(ctx context.Context, events []*eventsv1.Envelope) error { return c.Handle(ctx, events[0]) })
		} else {
			mine, err = c.Exclusive(ctx, func(ctx context.Context, apply Apply) error { return b.read(ctx, c, batchSize, apply) })
		}
		switch {
		case ctx.Err() != nil:
		case err != nil:
			level := slog.LevelDebug // the connection has warned already, and a stream that is not there yet will be
			if b.conn.IsConnected() && !notYet(err) {
				level = slog.LevelWarn
			}
			b.log.Log(ctx, level, "consumer starts again", "consumer", c.Name, "error", err)
			_ = pause.For(ctx, restart)
		case !mine:
			_ = pause.For(ctx, followPoll)
		}
	}
	return nil
}

// declare has the consumer declared, and finds it. One that is there is read also while the service
// whose stream it reads is away.
func (b *Bus) declare(ctx context.Context, c Consumer, inHand int) (jetstream.Consumer, error) {
	service, err := Publisher(c.Subject)
	if err != nil {
		return nil, err
	}
	owner, err := b.of(service)
	if err != nil {
		return nil, err
	}
	undeclared := b.ask(ctx, service, c, inHand)
	ctx, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	consumer, err := owner.Consumer(ctx, StreamName(service), c.Name)
	if err != nil {
		return nil, errors.Join(undeclared, err)
	}
	return consumer, nil
}

// notYet reports that the stream does not exist yet, or that the service that declares its consumers is not running.
func notYet(err error) bool {
	return errors.Is(err, jetstream.ErrStreamNotFound) || errors.Is(err, nats.ErrNoResponders)
}
