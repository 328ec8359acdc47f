package bus

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// positionKey is where the broker keeps a consumer's position, beside the consumer.
const positionKey = "serein.position"

// position is how far a consumer has come in its stream, as the stream's service saw it.
type position struct {
	// Seen: no event of the stream up to it is left to handle.
	Seen uint64 `json:"seen"`
	// At: nor any that was stored before then, by the broker's clock.
	At time.Time `json:"at"`
	// Written is when this was kept.
	Written time.Time `json:"written"`
	// Missed is what the consumer can no longer read; nil: nothing.
	Missed *gap `json:"missed,omitempty"`
}

// gap is a part of the stream that left it before a consumer was through with it.
type gap struct {
	// From and To: the broker stored the gap's events between these times, by its own clock.
	From time.Time `json:"from"`
	To   time.Time `json:"to"`
	// Noticed is when the publisher found the gap, by the publisher's clock.
	Noticed time.Time `json:"noticed"`
}

// Missed are events of the service that a consumer can no longer read.
type Missed struct {
	// Consumer is its name, Subject that of the events.
	Consumer, Subject string
	// From and To: the broker stored the events between these times, by its own clock. Noticed is when the
	// publisher found them missing, by the publisher's clock.
	From, To, Noticed time.Time
	// Waits: the consumer has handled all that is left, and asks for more.
	Waits bool
}

// newPosition is the position of a new consumer: events from before it do not count as missed.
func newPosition(stream *jetstream.StreamInfo) position {
	p := position{Seen: max(stream.State.FirstSeq, 1) - 1, At: stream.State.FirstTime, Written: stream.TimeStamp}
	if stream.State.Msgs == 0 {
		p.At = stream.Created
	}
	return p
}

func (p position) metadata() (map[string]string, error) {
	kept, err := json.Marshal(p)
	return map[string]string{positionKey: string(kept)}, err
}

// Missed looks how far the consumers of the service's own stream have come, and what they missed.
// Only the replica that publishes may call it.
func (b *Bus) Missed(ctx context.Context, now time.Time) ([]Missed, error) {
	ctx, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	stream, err := b.js.Stream(ctx, StreamName(b.service))
	if err != nil {
		return nil, fmt.Errorf("consumers of %s: %w", b.service, err)
	}
	before := stream.CachedInfo()
	var readers []*jetstream.ConsumerInfo
	listed := stream.ListConsumers(ctx)
	for info := range listed.Info() {
		if !redacts(info.Name) {
			readers = append(readers, info)
		}
	}
	if err := listed.Err(); err != nil {
		return nil, fmt.Errorf("consumers of %s: %w", b.service, err)
	}
	after, err := stream.Info(ctx)
	if err != nil {
		return nil, fmt.Errorf("consumers of %s: %w", b.service, err)
	}
	var missed []Missed
	for _, reader := range readers {
		p := positionOf(reader, after)
		was := p
		changed := b.notice(ctx, &p, before.State, after.State, reader, now)
		// While a consumer misses events, a repair publishes them again, and a full stream then drops events that the consumer has
		// handled. The new position has to be kept at once, or the next look would count those as missed too.
		moved := p.Seen != was.Seen || !p.At.Equal(was.At)
		if changed || (p.Missed != nil && moved) || now.Sub(p.Written) >= seenEvery {
			if err := b.keep(ctx, stream, reader.Config, p, now); err != nil {
				return nil, err
			}
		}
		if p.Missed != nil {
			missed = append(missed, Missed{
				Consumer: reader.Name, Subject: reader.Config.FilterSubject,
				From: p.Missed.From, To: p.Missed.To, Noticed: p.Missed.Noticed,
				Waits: idle(reader) && reader.NumWaiting > 0,
			})
		}
	}
	return missed, nil
}

func positionOf(reader *jetstream.ConsumerInfo, stream *jetstream.StreamInfo) position {
	var p position
	if err := json.Unmarshal([]byte(reader.Config.Metadata[positionKey]), &p); err != nil {
		p = newPosition(stream)
	}
	return p
}

func idle(reader *jetstream.ConsumerInfo) bool {
	return reader.NumPending == 0 && reader.NumAckPending == 0
}

// notice moves the position on, and reports whether the consumer misses events that it did not miss before. The
// reader's state was read between the two states of the stream. The earlier position counts, not the reader's
// acknowledgements: when an event leaves the stream, the broker counts it as acknowledged, even if the process
// that had received it died before handling it.
func (b *Bus) notice(ctx context.Context, p *position, before, after jetstream.StreamState, reader *jetstream.ConsumerInfo, now time.Time) (changed bool) {
	if after.FirstSeq > p.Seen+1 {
		lost := after.FirstSeq - 1 - p.Seen
		b.metrics.add(ctx, b.metrics.gap, reader.Name, int(lost))
		first := after.FirstTime
		if after.Msgs == 0 {
			first = now
		}
		if p.Missed == nil {
			p.Missed = &gap{From: p.At}
			b.log.ErrorContext(ctx, "events left the stream before they were handled; they go out again when the consumer has handled the rest",
				"consumer", reader.Name, "stream", reader.Stream, "events", lost, "oldest_left", first)
		}
		p.Missed.To, p.Missed.Noticed = first, now
		p.Seen, p.At = after.FirstSeq-1, first
		changed = true
	}
	p.Seen = max(p.Seen, reader.AckFloor.Stream)
	if idle(reader) && before.LastSeq >= p.Seen {
		p.Seen = before.LastSeq
		if before.Msgs > 0 {
			p.At = before.LastTime
		}
	}
	return changed
}

// Repaired notes that what the consumer missed before then has been published again, or all of it.
func (b *Bus) Repaired(ctx context.Context, m Missed, upto, now time.Time) error {
	ctx, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	stream, err := b.js.Stream(ctx, StreamName(b.service))
	if err != nil {
		return fmt.Errorf("consumer %s: %w", m.Consumer, err)
	}
	reader, err := stream.Consumer(ctx, m.Consumer)
	if err != nil {
		return fmt.Errorf("consumer %s: %w", m.Consumer, err)
	}
	p := positionOf(reader.CachedInfo(), stream.CachedInfo())
	if p.Missed == nil || !p.Missed.Noticed.Equal(m.Noticed) {
		return nil // more is missed since
	}
	if p.Missed.From = upto; !upto.Before(p.Missed.To) {
		p.Missed = nil
	}
	return b.keep(ctx, stream, reader.CachedInfo().Config, p, now)
}

func (b *Bus) keep(ctx context.Context, stream jetstream.Stream, cfg jetstream.ConsumerConfig, p position, now time.Time) error {
	p.Written = now
	kept, err := p.metadata()
	if err != nil {
		return err
	}
	cfg.Metadata = maps.Clone(cfg.Metadata)
	if cfg.Metadata == nil {
		cfg.Metadata = map[string]string{}
	}
	maps.Copy(cfg.Metadata, kept)
	if _, err = stream.UpdateConsumer(ctx, cfg); err != nil {
		return fmt.Errorf("consumer %s: %w", cfg.Durable, err)
	}
	return nil
}
