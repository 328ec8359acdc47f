package bus

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nuid"
)

// MaxBatch is how many messages the broker stores with one sync of its disk, at most.
const MaxBatch = 1000

// publishTime bounds one publishing, whatever the broker does.
var publishTime = 2 * askTime

// Message is one event on its way out.
type Message struct {
	// ID is the event's id: the broker drops what it has seen within its window.
	ID, Subject string
	Data        []byte
}

// Publish sends the messages in order and waits until the broker has stored them all. It
// gives the number stored before the first failure. At most MaxBatch are stored with one sync of the
// broker's disk; where it refuses that, because it has one of them or is older than 2.12, each is
// stored by itself.
func (b *Bus) Publish(ctx context.Context, stream string, messages []Message) (int, error) {
	ctx, cancel := context.WithTimeout(ctx, publishTime)
	defer cancel()
	if !b.conn.IsConnected() {
		return 0, errors.New("the broker is away")
	}
	if len(messages) > 1 && len(messages) <= MaxBatch {
		if stored, err := b.publishTogether(ctx, stream, messages); stored || err != nil {
			return map[bool]int{true: len(messages)}[stored], err
		}
	}
	return b.publishEach(ctx, stream, messages)
}

// publishTogether publishes all or none (nats-server 2.12, ADR-50). Neither is that the broker
// refused the batch.
func (b *Bus) publishTogether(ctx context.Context, stream string, messages []Message) (stored bool, err error) {
	batch, last := nuid.Next(), len(messages)-1
	for i, m := range messages {
		msg := &nats.Msg{Subject: m.Subject, Data: m.Data, Header: nats.Header{
			jetstream.MsgIDHeader: {m.ID}, jetstream.ExpectedStreamHeader: {stream},
			"Nats-Batch-Id": {batch}, "Nats-Batch-Sequence": {strconv.Itoa(i + 1)},
		}}
		if i < last {
			if err := b.conn.PublishMsg(msg); err != nil {
				return false, err
			}
			continue
		}
		msg.Header.Set("Nats-Batch-Commit", "1")
		answer, err := b.conn.RequestMsgWithContext(ctx, msg)
		if errors.Is(err, nats.ErrNoResponders) {
			return false, nil // publishing each says of which
		}
		if err != nil {
			return false, fmt.Errorf("batch: %w", err)
		}
		var ack struct {
			Error json.RawMessage `json:"error"`
			Count int             `json:"count"`
		}
		if err := json.Unmarshal(answer.Data, &ack); err != nil {
			return false, fmt.Errorf("batch: %w", err)
		}
		return len(ack.Error) == 0 && ack.Count == len(messages), nil
	}
	return false, nil
}

func (b *Bus) publishEach(ctx context.Context, stream string, messages []Message) (int, error) {
	futures := make([]jetstream.PubAckFuture, 0, len(messages))
	var sendErr error
	for _, m := range messages {
		future, err := b.js.PublishMsgAsync(&nats.Msg{Subject: m.Subject, Data: m.Data},
			jetstream.WithMsgID(m.ID), jetstream.WithExpectStream(stream))
		if err != nil {
			sendErr = err
			break
		}
		futures = append(futures, future)
	}
	for stored, future := range futures {
		select {
		case <-future.Ok():
		case err := <-future.Err():
			return stored, err
		case <-ctx.Done():
			return stored, ctx.Err()
		}
	}
	return len(futures), sendErr
}
