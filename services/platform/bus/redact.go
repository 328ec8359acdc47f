package bus

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/nats-io/nats.go/jetstream"
	"google.golang.org/protobuf/proto"

	eventsv1 "serein.app/proto/gen/serein/events/v1"
)

const (
	// redaction begins the names of consumers that read a stream for Redact. They keep nothing, are nobody's to repair, and go by
	// themselves.
	redaction = "redaction-"
	// redactionRests is after how long without a question such a consumer goes.
	redactionRests = 30 * time.Second
)

// Redact overwrites and deletes all events about the members in a stream of this service; a stream that does not exist yet is no
// error. A consumer that has not read these events yet never gets them.
func (b *Bus) Redact(ctx context.Context, stream string, members []string) error {
	s, err := b.js.Stream(ctx, stream)
	if errors.Is(err, jetstream.ErrStreamNotFound) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("stream %s: %w", stream, err)
	}
	last := s.CachedInfo().State.LastSeq
	if s.CachedInfo().State.Msgs == 0 {
		return nil
	}
	reader, err := s.CreateConsumer(ctx, jetstream.ConsumerConfig{
		Name: redaction + uuid.NewString(), FilterSubject: s.CachedInfo().Config.Subjects[0], AckPolicy: jetstream.AckNonePolicy,
		InactiveThreshold: redactionRests, MemoryStorage: true,
	})
	if err != nil {
		return fmt.Errorf("read %s: %w", stream, err)
	}
	for {
		more, err := redactBatch(ctx, s, reader, last, members)
		if err != nil || !more {
			return err
		}
	}
}

// redactBatch says whether there may be more.
func redactBatch(ctx context.Context, s jetstream.Stream, reader jetstream.Consumer, last uint64, members []string) (more bool, err error) {
	batch, err := reader.FetchNoWait(MaxBatch)
	if err != nil {
		return false, err
	}
	for msg := range batch.Messages() {
		at, err := msg.Metadata()
		if err != nil {
			return false, err
		}
		more = at.NumPending > 0 && at.Sequence.Stream < last
		envelope := new(eventsv1.Envelope)
		if proto.Unmarshal(msg.Data(), envelope) != nil || !slices.Contains(members, envelope.GetUid()) {
			continue
		}
		if err := s.SecureDeleteMsg(ctx, at.Sequence.Stream); err != nil && !errors.Is(err, jetstream.ErrMsgDeleteUnsuccessful) {
			return false, fmt.Errorf("redact %d: %w", at.Sequence.Stream, err)
		}
	}
	return more, batch.Error()
}

// redacts says whether a consumer is one that Redact reads with.
func redacts(consumer string) bool { return strings.HasPrefix(consumer, redaction) }
