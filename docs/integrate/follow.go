package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nkeys"
	"google.golang.org/protobuf/proto"

	eventsv1 "serein.app/proto/gen/serein/events/v1"
)

// Where billing publishes that credits were spent. Each service has a separate stream, and its consumers find the calls that they may
// make to that stream below a prefix.
const (
	spentSubject = "serein.billing.credits.spent.v1"
	stream       = "serein_billing"
	apiPrefix    = "serein_api.billing"
	declarations = "serein_consumer.billing"
)

const (
	// inHand is how many events this program takes at once. One keeps the order of the stream whatever fails. A program that takes more
	// is faster, but after a failed event it gets later ones before the failed one comes again.
	inHand = 1
	// ackWait is after which time an event that this program has not acknowledged comes again. Its work must take less.
	ackWait = 10 * time.Second
	// fetchTime is how long one question for events waits for them, askTime for all else that is asked.
	fetchTime, askTime = 5 * time.Second, 5 * time.Second
	// firstPause and longestPause: after a failure it is tried again, each time twice as late.
	firstPause, longestPause = 500 * time.Millisecond, 30 * time.Second
)

// follower follows what members spend.
type follower struct {
	conn *nats.Conn
	js   jetstream.JetStream
	// durable is the name of its consumer: the broker keeps under it which events are acknowledged.
	durable string
	journal *journal
	out     io.Writer
}

// follow keeps in the file what members spend, until ctx ends. What went on while it was away is there when it comes back.
func follow(ctx context.Context, files certificates, path string, out io.Writer) error {
	env, err := environ("NATS_URL", "NATS_NKEY", "CONSUMER")
	if err != nil {
		return err
	}
	kept, err := openJournal(path)
	if err != nil {
		return err
	}
	defer func() { _ = kept.Close() }()
	conn, err := connect(env["NATS_URL"], env["NATS_NKEY"], files)
	if err != nil {
		return err
	}
	defer conn.Close()
	js, err := jetstream.NewWithAPIPrefix(conn, apiPrefix)
	if err != nil {
		return err
	}
	f := &follower{conn: conn, js: js, durable: env["CONSUMER"] + "-credits-spent", journal: kept, out: out}
	slog.Info("follows", "consumer", f.durable, "kept", len(kept.known))
	f.run(ctx)
	return nil
}

// connect lets the program in by its key, and keeps connecting while the broker is away.
func connect(address, seed string, files certificates) (*nats.Conn, error) {
	pair, err := nkeys.FromSeed([]byte(seed))
	if err != nil {
		return nil, errors.New("NATS_NKEY is not the seed of an nkey")
	}
	public, err := pair.PublicKey()
	if err != nil {
		return nil, err
	}
	options := []nats.Option{
		nats.Name("integrate"), nats.Nkey(public, pair.Sign), nats.PingInterval(20 * time.Second),
		// Reconnect for ever: the broker may start later than this program, or an operator may add the program's key later.
		nats.RetryOnFailedConnect(true), nats.MaxReconnects(-1), nats.IgnoreAuthErrorAbort(),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) { slog.Error("broker refuses", "error", err) }),
	}
	if strings.HasPrefix(address, "tls://") {
		config, err := files.config()
		if err != nil {
			return nil, err
		}
		options = append(options, nats.Secure(config))
	}
	return nats.Connect(address, options...)
}

// run reads until ctx ends. After a failure it begins again.
func (f *follower) run(ctx context.Context) {
	var pause time.Duration
	for {
		began := time.Now()
		err := f.read(ctx)
		if ctx.Err() != nil {
			return
		}
		pause = nextPause(pause, time.Since(began))
		slog.Warn("begins again", "in", pause, "error", err)
		select {
		case <-ctx.Done():
			return
		case <-time.After(pause):
		}
	}
}

// nextPause is how long to wait after a failure: twice as long as the last time, unless it had gone well for a while.
func nextPause(last, well time.Duration) time.Duration {
	if well > longestPause {
		return firstPause
	}
	return min(max(2*last, firstPause), longestPause)
}

// read handles events until something fails.
func (f *follower) read(ctx context.Context) error {
	consumer, err := f.declare(ctx)
	if err != nil {
		return err
	}
	for ctx.Err() == nil && err == nil {
		err = f.fetch(ctx, consumer)
	}
	return err
}

// fetch handles what comes within a while. That nothing comes is no failure.
func (f *follower) fetch(ctx context.Context, consumer jetstream.Consumer) error {
	bounded, cancel := context.WithTimeout(ctx, fetchTime)
	defer cancel()
	batch, err := consumer.Fetch(inHand, jetstream.FetchContext(bounded))
	if err != nil {
		return err
	}
	for msg := range batch.Messages() {
		if err := f.handle(context.WithoutCancel(ctx), msg); err != nil {
			return err
		}
	}
	if err := batch.Error(); err != nil && !errors.Is(err, nats.ErrTimeout) && bounded.Err() == nil {
		return err
	}
	return nil
}

// declare asks billing for the durable consumer, which only the publisher of a stream may declare; asking again changes nothing. One
// that is there already is read while billing is away, since its events are the broker's.
func (f *follower) declare(ctx context.Context) (jetstream.Consumer, error) {
	ctx, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	wish, err := json.Marshal(map[string]any{"in_hand": inHand, "ack_wait": ackWait})
	if err != nil {
		return nil, err
	}
	answer, undeclared := f.conn.RequestWithContext(ctx, declarations+"."+f.durable+"."+spentSubject, wish)
	if undeclared == nil && len(answer.Data) > 0 {
		undeclared = fmt.Errorf("%s: %s", f.durable, answer.Data)
	}
	consumer, err := f.js.Consumer(ctx, stream, f.durable)
	if err != nil {
		return nil, errors.Join(undeclared, err)
	}
	return consumer, nil
}

// handle does an event's work and acknowledges it then, so that what dies in between comes again.
func (f *follower) handle(ctx context.Context, msg jetstream.Msg) error {
	event, spent := &eventsv1.Envelope{}, &eventsv1.CreditsSpent{}
	err := proto.Unmarshal(msg.Data(), event)
	if err == nil {
		err = event.GetPayload().UnmarshalTo(spent)
	}
	if err != nil { // it would be no better the next time
		slog.Error("not an event of this subject, given up", "subject", msg.Subject(), "error", err)
		return msg.Term()
	}
	if err := f.work(event, spent); err != nil {
		return errors.Join(err, msg.Nak())
	}
	ctx, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	return msg.DoubleAck(ctx) // waits for the broker's word: what it has not heard comes again
}

// work is what this program does with an event. It does nothing where the event has been here before.
func (f *follower) work(event *eventsv1.Envelope, spent *eventsv1.CreditsSpent) error {
	line, err := f.journal.keep(record{
		ID: event.GetId(), Time: event.GetTime().AsTime(), UID: event.GetUid(),
		Credits: spent.GetPlanCredits() + spent.GetTopUpCredits(), Reference: spent.GetReference(),
	})
	if err != nil {
		return err
	}
	if line == nil {
		slog.Info("known already", "event", event.GetId())
		return nil
	}
	_, err = f.out.Write(line)
	return err
}
