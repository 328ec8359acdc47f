package bus

import (
	"context"
	"fmt"
	"hash/fnv"
	"strconv"
	"time"

	"github.com/nats-io/nats.go"
	"google.golang.org/protobuf/proto"

	eventsv1 "serein.app/proto/gen/serein/events/v1"
)

// The headers of a watermark.
const (
	runHeader  = "Serein-Run"
	sumHeader  = "Serein-Sum"
	timeHeader = "Serein-Time"
)

// Watermark says how far a service's relay has come. It is no event: nobody keeps it.
type Watermark struct {
	// Run names one run of a relay, Sum all events that it has published.
	Run string
	Sum Sum
	// Time, by the relay's clock, before which every change was made whose event is published.
	Time time.Time
}

// Sum names a number of events, in whatever order: who has heard them all, each once, has the same.
type Sum uint64

// Add counts an event.
func (s *Sum) Add(id string) {
	h := fnv.New64a()
	_, _ = h.Write([]byte(id))
	*s += Sum(h.Sum64())
}

func watermarkOf(service string) string { return "serein_watermark." + service }

// Tell publishes a watermark behind the events that this connection has published.
func (b *Bus) Tell(service string, w Watermark) error {
	return b.conn.PublishMsg(&nats.Msg{Subject: watermarkOf(service), Header: nats.Header{
		runHeader: {w.Run}, sumHeader: {strconv.FormatUint(uint64(w.Sum), 10)}, timeHeader: {w.Time.UTC().Format(time.RFC3339Nano)},
	}})
}

// Follower receives a service's events as they are published. It serves caches, which may be dropped: a follower never gets an
// event that it missed, but always learns that it may have missed one.
type Follower struct {
	// Service that is followed.
	Service string
	// Handle is called with every event, in order; some events may be repeated.
	Handle func(e *eventsv1.Envelope)
	// Upto is called when Handle has had every event of the changes made before then. whole is false if
	// the follower may have missed events before now.
	Upto func(then time.Time, whole bool)
}

// followBacklog is how many messages may wait for a follower. More are dropped, and noticed.
const followBacklog = 4096

// Follow follows a service until ctx ends. While the broker is away nothing is heard: Upto is not
// called.
func (b *Bus) Follow(ctx context.Context, f Follower) error {
	heard := make(chan *nats.Msg, followBacklog)
	for _, subject := range []string{"serein." + f.Service + ".>", watermarkOf(f.Service)} {
		// One channel for both: what one connection published keeps its order.
		subscription, err := b.conn.ChanSubscribe(subject, heard)
		if err != nil {
			return fmt.Errorf("follow %s: %w", f.Service, err)
		}
		defer func() { _ = subscription.Unsubscribe() }() // fails only where the connection is closed
	}
	var last Watermark
	var sum Sum // of the last watermark and all since
	for {
		select {
		case <-ctx.Done():
			return nil
		case msg := <-heard:
			if msg.Subject != watermarkOf(f.Service) {
				sum.Add(f.handle(msg))
				continue
			}
			next, err := readWatermark(msg)
			if err != nil {
				f.Upto(time.Time{}, false)
				last = Watermark{}
				continue
			}
			f.Upto(next.Time, next.Run == last.Run && next.Sum == sum)
			last, sum = next, next.Sum
		}
	}
}

// handle gives the event's id.
func (f Follower) handle(msg *nats.Msg) string {
	event := new(eventsv1.Envelope)
	if err := proto.Unmarshal(msg.Data, event); err != nil {
		f.Upto(time.Time{}, false) // the follower missed this event
		return ""
	}
	f.Handle(event)
	return event.GetId()
}

func readWatermark(msg *nats.Msg) (w Watermark, err error) {
	w.Run = msg.Header.Get(runHeader)
	sum, err := strconv.ParseUint(msg.Header.Get(sumHeader), 10, 64)
	if err != nil {
		return Watermark{}, err
	}
	w.Sum = Sum(sum)
	w.Time, err = time.Parse(time.RFC3339Nano, msg.Header.Get(timeHeader))
	return w, err
}
