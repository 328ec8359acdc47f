package bus

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"go.opentelemetry.io/otel/propagation"
	"google.golang.org/protobuf/proto"

	eventsv1 "serein.app/proto/gen/serein/events/v1"
	"serein.app/services/platform/errs"
	"serein.app/services/platform/failpoint"
	"serein.app/services/platform/pause"
	"serein.app/services/platform/telemetry"
)

// delivery is an event that the broker has delivered to a reader.
type delivery struct {
	msg   jetstream.Msg
	event *eventsv1.Envelope
	// broken is the error of decoding the event; nil for a valid one.
	broken error
	// seq is its place in the stream.
	seq uint64
	// failed counts the attempts at it, also those of processes that died; next is when it may be
	// tried again.
	failed uint64
	next   time.Time
}

// reader has up to size events in flight and handles them in the order of the stream. An event that fails delays the later events
// of its aggregate, and no others.
type reader struct {
	b     *Bus
	c     Consumer
	from  jetstream.Consumer
	size  int
	apply Apply
	// measured is when the waiting events were last counted.
	measured time.Time

	mu sync.Mutex
	// inFlight are the events that the broker has delivered here and that are not done, in the order of the stream.
	inFlight []*delivery
	// waitingForOthers: events that another process received are not acknowledged yet, so this one handles none.
	waitingForOthers bool
}

// read handles events until the consumer or the connection is lost, which is its error, or ctx ends.
func (b *Bus) read(ctx context.Context, c Consumer, size int, apply Apply) error {
	from, err := b.declare(ctx, c, size)
	if err != nil {
		return err
	}
	r := &reader{b: b, c: c, from: from, size: size, apply: apply}
	ctx, cancel := context.WithCancel(ctx)
	keeping := make(chan struct{})
	go func() {
		defer close(keeping)
		r.keepAlive(ctx)
	}()
	met := b.Reconnects()
	for ctx.Err() == nil && err == nil {
		if err = r.poll(ctx); err == nil && b.Reconnects() != met {
			err = errors.New("the broker was lost in between")
		}
	}
	cancel()
	<-keeping
	for _, d := range r.inFlight {
		_ = d.msg.Nak() // the next reader need not wait for it
	}
	return err
}

// keepAlive asks the broker for more time for the events in flight, so that it does not deliver them again.
func (r *reader) keepAlive(ctx context.Context) {
	for {
		_ = pause.For(ctx, r.b.pace.ack/3)
		if ctx.Err() != nil {
			return
		}
		r.mu.Lock()
		for _, d := range r.inFlight {
			_ = d.msg.InProgress()
		}
		r.mu.Unlock()
	}
}

// poll fetches as many events as there is room for, and handles the events that are due.
func (r *reader) poll(ctx context.Context) error {
	if time.Since(r.measured) >= seenEvery {
		if _, err := r.info(ctx); err != nil {
			return err
		}
	}
	if err := r.follow(ctx); err != nil {
		return err
	}
	r.work(ctx)
	room, wait := r.size-len(r.inFlight), r.due()
	if room == 0 {
		_ = pause.For(ctx, wait)
		return nil
	}
	bounded, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	batch, err := r.from.Fetch(room, jetstream.FetchContext(bounded))
	if err != nil {
		return err
	}
	for msg := range batch.Messages() {
		r.take(msg)
		for more := true; more; {
			select {
			case msg, more = <-batch.Messages():
				if more {
					r.take(msg)
				}
			default:
				more = false
			}
		}
		if err := r.follow(ctx); err != nil {
			return err
		}
		r.work(ctx)
	}
	if err := batch.Error(); err != nil && !errors.Is(err, nats.ErrTimeout) && !errors.Is(err, context.DeadlineExceeded) && !errors.Is(err, context.Canceled) {
		return err
	}
	return nil
}

// follow finds out whether this process has all events that the broker has delivered and that are not acknowledged. Until it has,
// an event that a dead process received could come after later ones.
func (r *reader) follow(ctx context.Context) error {
	if r.size == 1 {
		return nil
	}
	info, err := r.info(ctx)
	if err == nil {
		r.waitingForOthers = info.NumAckPending > len(r.inFlight)
	}
	return err
}

// info asks the broker for the consumer's state, and records how many events wait.
func (r *reader) info(ctx context.Context) (*jetstream.ConsumerInfo, error) {
	ctx, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	info, err := r.from.Info(ctx)
	if err != nil {
		return nil, err
	}
	r.measured = time.Now()
	r.b.metrics.waiting(ctx, r.c.Name, int64(info.NumPending)+int64(info.NumAckPending))
	return info, nil
}

// due is how long to wait for further events before an event in flight is tried again.
func (r *reader) due() time.Duration {
	wait := fetchTime
	if r.waitingForOthers {
		wait = min(wait, r.b.pace.ack/8)
	}
	for _, d := range r.inFlight {
		wait = min(wait, time.Until(d.next))
	}
	return max(wait, time.Millisecond)
}

func (r *reader) take(msg jetstream.Msg) {
	d := &delivery{msg: msg, event: new(eventsv1.Envelope)}
	if meta, err := msg.Metadata(); err == nil {
		d.seq, d.failed = meta.Sequence.Stream, meta.NumDelivered-1
		r.b.metrics.add(context.Background(), r.b.metrics.repeated, r.c.Name, int(min(d.failed, 1)))
	}
	if err := proto.Unmarshal(msg.Data(), d.event); err != nil {
		d.broken = fmt.Errorf("not an event: %w", err)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.inFlight = slices.DeleteFunc(r.inFlight, func(h *delivery) bool { return h.seq == d.seq }) // the broker has delivered it again
	r.inFlight = append(r.inFlight, d)
	slices.SortFunc(r.inFlight, func(a, b *delivery) int { return cmp.Compare(a.seq, b.seq) })
}

// work handles the events that are due: all at once, or each alone if that fails.
func (r *reader) work(ctx context.Context) {
	if r.waitingForOthers || ctx.Err() != nil {
		return
	}
	due := r.runnable()
	if len(due) > 1 && !slices.ContainsFunc(due, func(d *delivery) bool { return d.failed > 0 || d.broken != nil }) {
		if err := r.handle(ctx, due); err == nil {
			r.done(ctx, due)
			return
		}
	}
	blocked := map[string]bool{}
	for _, d := range due {
		if ctx.Err() != nil {
			return
		}
		if blocked[d.event.GetAggregateId()] {
			continue
		}
		err := r.handle(ctx, []*delivery{d})
		if err == nil {
			r.done(ctx, []*delivery{d})
			continue
		}
		if ctx.Err() != nil {
			return // then a failure is not the event's
		}
		blocked[d.event.GetAggregateId()] = true
		r.fail(ctx, d, err)
		if errs.KindOf(err) == errs.Unavailable {
			return
		}
	}
}

// runnable are the events in flight that may be handled now, in the order of the stream.
func (r *reader) runnable() []*delivery {
	var due []*delivery
	blocked := map[string]bool{}
	for _, d := range r.inFlight {
		aggregate := d.event.GetAggregateId()
		blocked[aggregate] = blocked[aggregate] || time.Until(d.next) > 0
		if !blocked[aggregate] {
			due = append(due, d)
		}
	}
	return due
}

func (r *reader) handle(ctx context.Context, due []*delivery) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("handler panicked: %v\n%s", p, debug.Stack())
		}
	}()
	events := make([]*eventsv1.Envelope, len(due))
	for i, d := range due {
		if d.broken != nil {
			return d.broken
		}
		events[i] = d.event
	}
	ctx, cancel := context.WithTimeout(ctx, r.b.pace.handle)
	defer cancel()
	if len(events) == 1 {
		ctx = telemetry.Propagator.Extract(ctx, propagation.MapCarrier{"traceparent": events[0].GetTraceparent()})
	}
	return r.apply(ctx, events)
}

// done acknowledges the events, and waits for the broker's confirmation of the last. The broker delivers an event again whose
// acknowledgement it did not get, and the inbox then skips it.
func (r *reader) done(ctx context.Context, handled []*delivery) {
	failpoint.Pass(failpoint.AfterHandledBeforeAck)
	r.b.metrics.add(ctx, r.b.metrics.handled, r.c.Name, len(handled))
	r.drop(handled...)
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), askTime)
	defer cancel()
	var err error
	last := len(handled) - 1
	for _, d := range handled[:last] {
		err = errors.Join(err, d.msg.Ack())
	}
	if err = errors.Join(err, handled[last].msg.DoubleAck(ctx)); err != nil {
		r.b.log.WarnContext(ctx, "acknowledgement failed", "consumer", r.c.Name, "error", err)
	}
}

// fail keeps the event for a later attempt, or dead-letters it after the last attempt.
func (r *reader) fail(ctx context.Context, d *delivery, fault error) {
	r.b.metrics.add(ctx, r.b.metrics.repeated, r.c.Name, 1)
	away := errs.KindOf(fault) == errs.Unavailable
	d.failed++
	if d.failed >= maxDeliveries && !away {
		r.b.log.ErrorContext(ctx, "event dead-lettered", "consumer", r.c.Name, "subject", d.msg.Subject(), "error", fault)
		err := r.deadLetter(context.WithoutCancel(ctx), d)
		if err == nil {
			return
		}
		r.b.log.WarnContext(ctx, "dead letter not kept", "consumer", r.c.Name, "error", err)
	} else {
		r.b.log.WarnContext(ctx, "event comes again", "consumer", r.c.Name, "subject", d.msg.Subject(), "attempt", d.failed, "error", fault)
	}
	d.next = time.Now().Add(r.b.pace.delay(d.failed))
	if away {
		d.failed-- // an attempt that fails because a service is unavailable does not count
	}
}

// deadLetter keeps the event on the dead letters' stream, then ends it.
func (r *reader) deadLetter(ctx context.Context, d *delivery) error {
	ctx, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	if err := r.b.EnsureDeadLetters(ctx); err != nil {
		return err
	}
	dead := &nats.Msg{Subject: "serein_dead." + r.b.service + "." + r.c.Name, Data: d.msg.Data(), Header: nats.Header{SubjectHeader: {d.msg.Subject()}}}
	if _, err := r.b.js.PublishMsg(ctx, dead); err != nil {
		return err
	}
	r.b.metrics.add(ctx, r.b.metrics.deadLettered, r.c.Name, 1)
	r.drop(d)
	return d.msg.Term()
}

func (r *reader) drop(handled ...*delivery) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.inFlight = slices.DeleteFunc(r.inFlight, func(h *delivery) bool { return slices.Contains(handled, h) })
}
