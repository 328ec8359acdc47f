package life_test

import (
	"context"
	"log/slog"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"

	eventsv1 "serein.app/proto/gen/serein/events/v1"
	"serein.app/services/platform/bus"
	"serein.app/services/testkit"
	"serein.app/services/testkit/natstest"
)

// ear reads the stream of our events as another service does.
type ear struct {
	mu    sync.Mutex
	heard map[string]int
	// order holds each member's events in the order in which the consumer first received them.
	order map[string][]string
	came  chan struct{}
}

// connect connects a site to a new broker and subscribes the site's ear to its events.
func (s *site) connect(tb testing.TB) {
	tb.Helper()
	broker := natstest.New(tb)
	var err error
	s.bus, err = bus.Connect(broker.URL, "billing", slog.New(slog.DiscardHandler))
	require.NoError(tb, err)
	tb.Cleanup(s.bus.Close)
	_, err = s.bus.EnsureStream(tb.Context(), "billing")
	require.NoError(tb, err)
	connection, err := nats.Connect(broker.URL)
	require.NoError(tb, err)
	tb.Cleanup(connection.Close)
	stream, err := jetstream.New(connection)
	require.NoError(tb, err)
	reader, err := stream.OrderedConsumer(tb.Context(), bus.StreamName("billing"), jetstream.OrderedConsumerConfig{})
	require.NoError(tb, err)
	reading, err := reader.Consume(s.ear.hear)
	require.NoError(tb, err)
	tb.Cleanup(reading.Stop)
}

func (e *ear) hear(msg jetstream.Msg) {
	event := new(eventsv1.Envelope)
	if proto.Unmarshal(msg.Data(), event) != nil {
		return // it is missed, and that fails the test
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.heard[event.GetId()]++; e.heard[event.GetId()] == 1 {
		e.order[event.GetUid()] = append(e.order[event.GetUid()], event.GetId())
	}
	select {
	case e.came <- struct{}{}:
	default:
	}
}

func (e *ear) forget() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.heard, e.order, e.came = map[string]int{}, map[string][]string{}, make(chan struct{}, 1)
}

// has says how many of those events the consumer received.
func (e *ear) has(ids []string) (n int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, id := range ids {
		n += min(e.heard[id], 1)
	}
	return n
}

// publishes has the outbox relayed until the world ends or its process dies.
func (w *world) publishes() {
	if w.bus == nil {
		return
	}
	ctx, cancel := context.WithCancel(context.Background())
	var relay sync.WaitGroup
	relay.Go(func() { _ = w.out.Run(ctx) })
	w.halt = func() { cancel(); relay.Wait() }
}

// patience is how long an event may take to its consumer.
const patience = testkit.Patience

// requireDelivered requires that the consumer received each published event once, and a member's events in order (E1 to E4).
func (w *world) requireDelivered() {
	if w.bus == nil {
		return
	}
	rows, err := w.Pool.Query(context.Background(), `SELECT id, payload FROM outbox ORDER BY seq`)
	require.NoError(w.t, err)
	defer rows.Close()
	var all []string
	order := map[string][]string{}
	for rows.Next() {
		var id uuid.UUID
		var payload []byte
		require.NoError(w.t, rows.Scan(&id, &payload))
		event := new(eventsv1.Envelope)
		require.NoError(w.t, proto.Unmarshal(payload, event))
		require.Equal(w.t, id.String(), event.GetId())
		all = append(all, event.GetId())
		order[event.GetUid()] = append(order[event.GetUid()], event.GetId())
	}
	require.NoError(w.t, rows.Err())
	w.out.Wake()
	late := time.NewTimer(patience)
	defer late.Stop()
	for w.ear.has(all) < len(all) {
		select {
		case <-w.ear.came:
		case <-late.C:
			require.Fail(w.t, "events are late", "%d of %d have come", w.ear.has(all), len(all))
		}
	}
	w.ear.mu.Lock()
	defer w.ear.mu.Unlock()
	require.Equal(w.t, order, w.ear.order, "each once, and in each member's order")
	require.Len(w.t, w.ear.heard, len(all), "and nothing that never was")
}
