package bus

import (
	"context"
	"strconv"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// position is how far a consumer has come in its stream.
type position struct {
	b        *Bus
	name     string
	stream   jetstream.Stream
	consumer jetstream.Consumer
	cfg      jetstream.ConsumerConfig
	// seen: no event of the stream up to it is left to handle. written is what the broker keeps of it.
	seen, written uint64
	checked       time.Time
}

// write keeps what was seen at the broker, beside the consumer: a process that comes later, after
// the stream has shed events, knows that it has not seen them.
func (p *position) write(ctx context.Context) (err error) {
	p.cfg.Metadata = map[string]string{seenKey: strconv.FormatUint(p.seen, 10)}
	if p.consumer, err = p.stream.CreateOrUpdateConsumer(ctx, p.cfg); err == nil {
		p.written = p.seen
	}
	return err
}

// info asks the broker for the consumer's state, and notes it.
func (p *position) info(ctx context.Context) (*jetstream.ConsumerInfo, error) {
	ctx, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	info, err := p.consumer.Info(ctx)
	if err != nil {
		return nil, err
	}
	p.b.metrics.waiting(ctx, p.name, int64(info.NumPending)+int64(info.NumAckPending))
	return info, nil
}

// check finds events that left the stream before they were handled, now and then.
func (p *position) check(ctx context.Context) error {
	if time.Since(p.checked) < seenEvery {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	stream, err := p.stream.Info(ctx)
	if err != nil {
		return err
	}
	info, err := p.info(ctx) // after the stream's: what it has to do nothing with was there before
	if err != nil {
		return err
	}
	p.checked = time.Now()
	if first := stream.State.FirstSeq; first > p.seen+1 {
		lost := first - 1 - p.seen
		p.b.metrics.add(ctx, p.b.metrics.gap, p.name, int(lost))
		p.b.log.ErrorContext(ctx, "events left the stream before they were handled; have their service publish them again (replay)",
			"consumer", p.name, "stream", stream.Config.Name, "events", lost, "oldest_left", stream.State.FirstTime)
		p.seen = first - 1
	}
	p.seen = max(p.seen, info.AckFloor.Stream)
	if info.NumPending == 0 && info.NumAckPending == 0 {
		p.seen = max(p.seen, stream.State.LastSeq)
	}
	if p.seen == p.written {
		return nil
	}
	return p.write(ctx)
}
