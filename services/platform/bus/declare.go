package bus

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"serein.app/services/platform/deadline"
)

// A consumer belongs to the service whose stream it reads: that service declares it when its reader
// asks. Who could declare one in another's account could also have the broker send that account's
// events to any subject of it (deliver_subject), which the broker's permissions cannot tell apart.

// declaration is all that a reader may say of its consumer. Its name and the subject that it reads
// stand in the subject of the request, where the broker looks whether the reader may ask for them.
type declaration struct {
	// InHand is how many events may be in its hands, AckWait how long without a word about one.
	InHand  int           `json:"in_hand"`
	AckWait time.Duration `json:"ack_wait"`
}

// declareTime bounds one declaration. A reader that already has a consumer goes on with it after that time.
var declareTime = deadline.Of(2 * time.Second)

// declarationsOf a service's consumers are asked for on this subject, then a dot, the name and the
// subject that is read.
func declarationsOf(service string) string { return "serein_consumer." + service }

// ask has the consumer declared by the service whose stream it reads.
func (b *Bus) ask(ctx context.Context, service string, c Consumer, inHand int) error {
	ctx, cancel := context.WithTimeout(ctx, declareTime)
	defer cancel()
	body, err := json.Marshal(declaration{InHand: inHand, AckWait: b.pace.ack})
	if err != nil {
		return err
	}
	answer, err := b.conn.RequestWithContext(ctx, declarationsOf(service)+"."+c.Name+"."+c.Subject, body)
	if err != nil {
		return fmt.Errorf("declare consumer %s: %w", c.Name, err)
	}
	if len(answer.Data) > 0 {
		return fmt.Errorf("declare consumer %s: %s", c.Name, answer.Data)
	}
	return nil
}

// answerDeclarations declares the consumers of the service's stream, as their readers ask. Replicas
// share it.
func (b *Bus) answerDeclarations(service string) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.declaring[service] {
		return nil
	}
	_, err := b.conn.QueueSubscribe(declarationsOf(service)+".>", "serein", func(msg *nats.Msg) {
		var answer []byte
		if err := b.declareFor(service, msg); err != nil {
			b.log.Warn("consumer not declared", "subject", msg.Subject, "error", err)
			answer = []byte("refused by its publisher")
		}
		if err := msg.Respond(answer); err != nil {
			b.log.Debug("declaration not answered", "error", err) // it is asked for again
		}
	})
	if err != nil {
		return fmt.Errorf("consumers of %s: %w", service, err)
	}
	b.declaring[service] = true
	return nil
}

func (b *Bus) declareFor(service string, msg *nats.Msg) error {
	var d declaration
	if err := json.Unmarshal(msg.Data, &d); err != nil {
		return err
	}
	if d.InHand < 1 || d.InHand > batchSize || d.AckWait <= 0 || d.AckWait > mostAckWait {
		return fmt.Errorf("%d in hand and %s to acknowledge are not within their limits", d.InHand, d.AckWait)
	}
	name, subject, _ := strings.Cut(strings.TrimPrefix(msg.Subject, declarationsOf(service)+"."), ".")
	if of, err := Publisher(subject); err != nil || of != service || strings.ContainsAny(subject, "*>") {
		return errors.Join(err, errors.New("it reads no event of this service, or all of them"))
	}
	ctx, cancel := context.WithTimeout(context.Background(), declareTime)
	defer cancel()
	stream, err := b.js.Stream(ctx, StreamName(service))
	if err != nil {
		return err
	}
	cfg := jetstream.ConsumerConfig{
		Durable: name, FilterSubject: subject, DeliverPolicy: jetstream.DeliverAllPolicy,
		AckPolicy: jetstream.AckExplicitPolicy, AckWait: d.AckWait, MaxDeliver: -1,
		// One replica at a time reads, so that an aggregate's events keep their order.
		MaxAckPending: d.InHand,
	}
	known, err := stream.Consumer(ctx, name)
	switch {
	case err == nil:
		cfg.Metadata = known.CachedInfo().Config.Metadata
	case errors.Is(err, jetstream.ErrConsumerNotFound):
		if cfg.Metadata, err = newPosition(stream.CachedInfo()).metadata(); err != nil {
			return err
		}
	default:
		return err
	}
	_, err = stream.CreateOrUpdateConsumer(ctx, cfg)
	return err
}
