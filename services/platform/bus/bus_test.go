package bus_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel/trace"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/anypb"

	eventsv1 "serein.app/proto/gen/serein/events/v1"
	"serein.app/services/platform/bus"
	"serein.app/services/platform/errs"
	"serein.app/services/testkit"
	"serein.app/services/testkit/natstest"
)

const (
	service  = "identity"
	subject  = "serein.identity.user.registered.v1"
	consumer = "mail-user-registered"
	patience = 2 * time.Minute
	look     = 5 * time.Millisecond
	// usualHandle is the time of a handler.
	usualHandle = 200 * time.Millisecond
)

// harness is a broker with a publisher, and consumers that have little patience.
type harness struct {
	t      *testing.T
	broker *natstest.Server
	bus    *bus.Bus
	js     jetstream.JetStream
	// ack is how long the broker waits for a word about an event.
	ack time.Duration
}

func newHarness(t *testing.T) *harness {
	t.Helper()
	h := &harness{t: t, broker: natstest.New(t), ack: time.Minute}
	h.bus = h.connect()
	conn, err := nats.Connect(h.broker.URL)
	require.NoError(t, err)
	t.Cleanup(conn.Close)
	h.js, err = jetstream.New(conn)
	require.NoError(t, err)
	_, err = h.bus.EnsureStream(t.Context(), service)
	require.NoError(t, err)
	return h
}

func (h *harness) connect() *bus.Bus {
	h.t.Helper()
	b, err := bus.Connect(h.broker.URL, "test", testkit.Logger(h.t))
	require.NoError(h.t, err)
	h.t.Cleanup(b.Close)
	return b
}

// publish sends one event a uid, in that order.
func (h *harness) publish(uids ...string) {
	h.t.Helper()
	for _, uid := range uids {
		h.send(uid, envelope(h.t, uid))
	}
}

func (h *harness) send(id string, data []byte) {
	h.t.Helper()
	n, err := h.bus.Publish(h.t.Context(), bus.StreamName(service), []bus.Message{{ID: id, Subject: subject, Data: data}})
	require.NoError(h.t, err)
	require.Equal(h.t, 1, n)
}

func envelope(t *testing.T, uid string) []byte {
	t.Helper()
	payload, err := anypb.New(&eventsv1.UserRegistered{Uid: uid})
	require.NoError(t, err)
	data, err := proto.Marshal(&eventsv1.Envelope{
		Id: "event of " + uid, Uid: uid, Payload: payload, Traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
	})
	require.NoError(t, err)
	return data
}

// deliveries are what a consumer got, in the order it came.
type deliveries struct {
	mu  sync.Mutex
	all []string
}

func (d *deliveries) add(uid string) (times int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.all = append(d.all, uid)
	for _, one := range d.all {
		if one == uid {
			times++
		}
	}
	return times
}

func (d *deliveries) list() []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return append([]string(nil), d.all...)
}

func (d *deliveries) of(uid string) (times int) {
	for _, one := range d.list() {
		if one == uid {
			times++
		}
	}
	return times
}

// consume handles events until the test ends or the answer is called.
func (h *harness) consume(handle func(ctx context.Context, uid string, delivery int) error) (*deliveries, func()) {
	h.t.Helper()
	return h.consumeBy(h.connect(), handle)
}

func (h *harness) consumeBy(b *bus.Bus, handle func(ctx context.Context, uid string, delivery int) error) (*deliveries, func()) {
	h.t.Helper()
	got := &deliveries{}
	b.Hurry(usualHandle, h.ack)
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = b.Consume(ctx, bus.Consumer{Name: consumer, Subject: subject, Handle: func(ctx context.Context, e *eventsv1.Envelope) error {
			return handle(ctx, e.GetUid(), got.add(e.GetUid()))
		}})
	}()
	stop := sync.OnceFunc(func() { cancel(); <-ended })
	h.t.Cleanup(stop)
	return got, stop
}

func (h *harness) eventually(condition func() bool, says ...any) {
	h.t.Helper()
	require.Eventually(h.t, condition, patience, look, says...)
}

// dead gives the dead letters of the consumer.
func (h *harness) dead() (letters []*jetstream.RawStreamMsg) {
	h.t.Helper()
	stream, err := h.js.Stream(h.t.Context(), bus.DeadStream("test"))
	if errors.Is(err, jetstream.ErrStreamNotFound) {
		return nil
	}
	require.NoError(h.t, err)
	info, err := stream.Info(h.t.Context())
	require.NoError(h.t, err)
	for n := range info.State.Msgs {
		letter, err := stream.GetMsg(h.t.Context(), info.State.FirstSeq+n)
		require.NoError(h.t, err)
		letters = append(letters, letter)
	}
	return letters
}

// unacknowledged is how many events the broker still holds for the consumer.
func (h *harness) unacknowledged() uint64 {
	h.t.Helper()
	c, err := h.js.Consumer(h.t.Context(), bus.StreamName(service), consumer)
	require.NoError(h.t, err)
	info, err := c.Info(h.t.Context())
	require.NoError(h.t, err)
	return info.NumPending + uint64(info.NumAckPending)
}

func TestAnEventThatAlwaysFailsIsDeadLetteredAndTheNextIsHandled(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	b, _, metric := h.measured("test")
	got, _ := h.consumeBy(b, func(_ context.Context, uid string, _ int) error {
		if uid == "poison" {
			return errors.New("it cannot be applied")
		}
		return nil
	})
	h.publish("before", "poison", "after")
	h.eventually(func() bool { return got.of("after") == 1 })
	require.Equal(t, bus.MaxDeliveries, got.of("poison"))
	require.Equal(t, 1, got.of("before"))
	letters := h.dead()
	require.Len(t, letters, 1)
	require.Equal(t, "serein_dead.test."+consumer, letters[0].Subject)
	require.Equal(t, subject, letters[0].Header.Get(bus.SubjectHeader))
	require.Equal(t, envelope(t, "poison"), letters[0].Data, "whole, so that it can be published again")
	h.eventually(func() bool { return metric("serein.bus.dead_lettered") == 1 })
	h.eventually(func() bool { return metric("serein.bus.handled") == 2 })
	h.eventually(func() bool { return h.unacknowledged() == 0 })
}

// The time of the handler is not the time of what becomes of the event.
func TestAnEventWhoseHandlerUsesUpItsTimeIsDeadLetteredLikeAnyOther(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	got, _ := h.consume(func(ctx context.Context, uid string, _ int) error {
		if uid == "slow" {
			<-ctx.Done()
			return ctx.Err()
		}
		return nil
	})
	h.publish("slow", "after")
	h.eventually(func() bool { return got.of("after") == 1 }, "it must not block the rest for ever")
	require.Equal(t, bus.MaxDeliveries, got.of("slow"))
	require.Len(t, h.dead(), 1)
}

// What fails because something is away is not the event's fault, however long it lasts.
func TestAnEventIsNeverDeadLetteredWhileAPartIsAway(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	got, _ := h.consume(func(_ context.Context, _ string, delivery int) error {
		if delivery <= 2*bus.MaxDeliveries {
			return fmt.Errorf("store: %w", errs.ErrUnavailable)
		}
		return nil
	})
	h.publish("one")
	h.eventually(func() bool { return got.of("one") == 2*bus.MaxDeliveries+1 })
	h.eventually(func() bool { return h.unacknowledged() == 0 })
	require.Empty(t, h.dead())
}

func TestAPanicOfAHandlerIsAFailureOfThatEventAlone(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	got, _ := h.consume(func(_ context.Context, uid string, _ int) error {
		if uid == "poison" {
			panic("index out of range")
		}
		return nil
	})
	h.publish("poison", "after")
	h.eventually(func() bool { return got.of("after") == 1 })
	require.Len(t, h.dead(), 1)
}

func TestBytesThatAreNoEventAreDeadLettered(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	got, _ := h.consume(func(context.Context, string, int) error { return nil })
	h.send("x", []byte("\xff not an envelope"))
	h.publish("after")
	h.eventually(func() bool { return got.of("after") == 1 })
	require.Equal(t, []string{"after"}, got.list(), "no handler sees them")
	require.Len(t, h.dead(), 1)
}

func TestEventsAreHandledOneAtATimeInTheirOrderAlsoWhenOneFailsForAWhile(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	var busy sync.Mutex
	got, _ := h.consume(func(_ context.Context, uid string, delivery int) error {
		require.True(t, busy.TryLock(), "two at once")
		defer busy.Unlock()
		if uid == "b" && delivery < 4 {
			return errors.New("not yet")
		}
		return nil
	})
	h.publish("a", "b", "c", "d")
	h.eventually(func() bool { return got.of("d") == 1 })
	require.Equal(t, []string{"a", "b", "b", "b", "b", "c", "d"}, got.list())
}

func TestWhatOneProcessLeftUndoneTheNextDoes(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	begun := make(chan struct{})
	got, stop := h.consume(func(ctx context.Context, _ string, delivery int) error {
		if delivery == 1 {
			close(begun)
		}
		<-ctx.Done()
		return ctx.Err()
	})
	h.publish("one")
	<-begun
	stop()
	require.NotEmpty(t, got.list())
	next, _ := h.consume(func(context.Context, string, int) error { return nil })
	h.eventually(func() bool { return next.of("one") == 1 })
	require.Empty(t, h.dead(), "a process that stops is not the event's fault")
}

// The last delivery is the last that may fail by the event's own fault, and a deploy is none.
func TestAProcessThatStopsAtTheLastDeliveryGivesNothingUp(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	last := make(chan struct{})
	_, stop := h.consume(func(ctx context.Context, _ string, delivery int) error {
		if delivery < bus.MaxDeliveries {
			return errors.New("not yet")
		}
		close(last)
		<-ctx.Done()
		return ctx.Err()
	})
	h.publish("one")
	<-last
	stop()
	next, _ := h.consume(func(context.Context, string, int) error { return nil })
	h.eventually(func() bool { return next.of("one") == 1 })
	require.Empty(t, h.dead())
}

// A dead letter carries one header more than its event: the broker refuses that of the largest.
func TestAnEventIsNotGivenUpWhileTheDeadLettersDoNotTakeIt(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	h.ack = time.Second
	got, _ := h.consume(func(context.Context, string, int) error { return errors.New("it cannot be applied") })
	largest := int(h.js.Conn().MaxPayload())
	event := &eventsv1.Envelope{Uid: "poison"}
	event.AggregateId = strings.Repeat("a", largest)
	event.AggregateId = strings.Repeat("a", 2*largest-proto.Size(event))
	require.Equal(t, largest, proto.Size(event))
	data, err := proto.Marshal(event)
	require.NoError(t, err)
	_, err = h.js.Publish(t.Context(), subject, data)
	require.NoError(t, err)
	h.eventually(func() bool { return got.of("poison") > bus.MaxDeliveries+1 }, "it comes again, as long as it must")
	require.Empty(t, h.dead())
	require.EqualValues(t, 1, h.unacknowledged())
}

// Delivered again too soon an event would be worked on twice at once; tried for too short a time it
// would be given up because of a hiccup.
func TestAnEventHasTimeBeforeItIsDeliveredAgainOrGivenUp(t *testing.T) {
	t.Parallel()
	handle, ack, trying := bus.Usual()
	require.Greater(t, ack, handle+10*time.Second)
	require.InDelta(t, 4, trying.Minutes(), 1)
}

func TestWhatTheBrokerTookOutlivesIt(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	h.publish("one")
	h.broker.Stop()
	h.broker.Start()
	got, _ := h.consume(func(context.Context, string, int) error { return nil })
	h.eventually(func() bool { return got.of("one") == 1 })
}

func TestAConsumerOutlivesItsBrokerAndItsStream(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	got, _ := h.consume(func(context.Context, string, int) error { return nil })
	h.publish("one")
	h.eventually(func() bool { return got.of("one") == 1 })
	h.broker.Stop()
	h.broker.Wipe()
	h.broker.Start()
	h.eventually(func() bool { _, err := h.bus.EnsureStream(t.Context(), service); return err == nil })
	h.eventually(func() bool {
		n, err := h.bus.Publish(t.Context(), bus.StreamName(service), []bus.Message{{ID: "two", Subject: subject, Data: envelope(t, "two")}})
		return err == nil && n == 1
	})
	h.eventually(func() bool { return got.of("two") == 1 })
}

func TestAHandlerWorksInTheTraceOfTheCallThatCausedTheEvent(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	traces := make(chan string, 1)
	h.consume(func(ctx context.Context, _ string, _ int) error {
		traces <- trace.SpanContextFromContext(ctx).TraceID().String()
		return nil
	})
	h.publish("one")
	require.Equal(t, "0af7651916cd43dd8448eb211c80319c", <-traces)
}

func TestAnEventThatIsPublishedAgainIsStoredOnce(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	h.publish("one", "one", "two", "one")
	stream, err := h.js.Stream(t.Context(), bus.StreamName(service))
	require.NoError(t, err)
	info, err := stream.Info(t.Context())
	require.NoError(t, err)
	require.EqualValues(t, 2, info.State.Msgs)
}

func TestPublishingSaysHowManyAreSafeBeforeTheFirstThatIsNot(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	n, err := h.bus.Publish(t.Context(), bus.StreamName(service), []bus.Message{
		{ID: "1", Subject: subject, Data: envelope(t, "one")},
		{ID: "2", Subject: "serein.elsewhere.user.registered.v1", Data: envelope(t, "two")},
		{ID: "3", Subject: subject, Data: envelope(t, "three")},
	})
	require.Error(t, err, "no stream takes the second")
	require.Equal(t, 1, n)

	h.broker.Stop()
	h.eventually(func() bool {
		n, err = h.bus.Publish(t.Context(), bus.StreamName(service), []bus.Message{{ID: "4", Subject: subject}})
		return err != nil && n == 0
	}, "nothing is safe while the broker is away")
}

func TestAServiceStartsWhileTheBrokerIsAway(t *testing.T) {
	t.Parallel()
	broker := natstest.New(t)
	broker.Stop()
	b, err := bus.Connect(broker.URL, "test", testkit.Logger(t))
	require.NoError(t, err)
	t.Cleanup(b.Close)
	_, err = b.EnsureStream(t.Context(), service)
	require.Error(t, err)
	broker.Start()
	require.Eventually(t, func() bool { _, err := b.EnsureStream(t.Context(), service); return err == nil }, patience, look)
}

func TestAnEventIsPublishedWhereItsContractSays(t *testing.T) {
	t.Parallel()
	got, err := bus.Subject(&eventsv1.UserRegistered{})
	require.NoError(t, err)
	require.Equal(t, subject, got)
	_, err = bus.Subject(&eventsv1.Envelope{})
	require.ErrorContains(t, err, "serein.events.v1.Envelope")
	var none *eventsv1.UserRegistered
	got, err = bus.Subject(none)
	require.NoError(t, err)
	require.Equal(t, subject, got)
}

func TestThePublisherOfASubjectIsItsService(t *testing.T) {
	t.Parallel()
	for _, good := range []string{subject, "serein.identity.>"} {
		got, err := bus.Publisher(good)
		require.NoError(t, err)
		require.Equal(t, service, got)
	}
	for _, bad := range []string{"", "serein", "serein.", "serein.identity", "serein..user", "other.identity.user", ">"} {
		_, err := bus.Publisher(bad)
		require.Error(t, err, bad)
	}
}
