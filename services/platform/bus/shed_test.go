package bus_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"
	"github.com/stretchr/testify/require"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"

	eventsv1 "serein.app/proto/gen/serein/events/v1"
	"serein.app/services/platform/bus"
	"serein.app/services/testkit"
)

// lines is a log that several may write.
type lines struct {
	mu  sync.Mutex
	out bytes.Buffer
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.out.Write(p)
}

// count is how many lines of that level say so.
func (l *lines) count(level slog.Level, says string) (n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for line := range strings.Lines(l.out.String()) {
		if strings.Contains(line, "level="+level.String()) && strings.Contains(line, says) {
			n++
		}
	}
	return n
}

// measured connects a service whose stream is small, with its log and its metrics.
func (h *harness) measured(name string) (*bus.Bus, *lines, func(metric string) float64) {
	h.t.Helper()
	reader := sdkmetric.NewManualReader()
	log := new(lines)
	b, err := bus.Connect(h.broker.URL, name, slog.New(slog.NewTextHandler(log, nil)),
		bus.With(bus.Config{StreamBytes: 20_000}), bus.WithMetrics(sdkmetric.NewMeterProvider(sdkmetric.WithReader(reader))))
	require.NoError(h.t, err)
	h.t.Cleanup(b.Close)
	b.Hurry(usualHandle, h.ack)
	return b, log, func(metric string) float64 { return testkit.Metric(h.t, reader, metric) }
}

// fill publishes events of a kilobyte each as the owner, and gives what the stream holds then.
func (h *harness) fill(owner *bus.Bus, from, to int) jetstream.StreamState {
	h.t.Helper()
	_, err := owner.EnsureStream(h.t.Context(), service)
	require.NoError(h.t, err)
	for n := from; n < to; n++ {
		stored, err := owner.Publish(h.t.Context(), bus.StreamName(service), []bus.Message{{
			ID: fmt.Sprint("filler ", n), Subject: subject, Data: envelope(h.t, fmt.Sprintf("%d %s", n, strings.Repeat("x", 500))),
		}})
		require.NoError(h.t, err, "a full stream refuses nothing")
		require.Equal(h.t, 1, stored)
	}
	stream, err := h.js.Stream(h.t.Context(), bus.StreamName(service))
	require.NoError(h.t, err)
	return stream.CachedInfo().State
}

func TestAStreamThatIsFullShedsItsOldestEventsAndSaysSoOnce(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	owner, log, metric := h.measured(service)
	h.fill(owner, 0, 5)
	require.NoError(t, owner.WatchStream(t.Context()))
	require.Zero(t, log.count(slog.LevelError, "full"))
	require.Less(t, metric("serein.bus.stream_fill"), 0.9)
	for n := range 10 {
		state := h.fill(owner, 5+10*n, 15+10*n)
		require.NoError(t, owner.WatchStream(t.Context()))
		require.LessOrEqual(t, state.Bytes, uint64(20_000))
		require.EqualValues(t, 15+10*n, state.LastSeq, "the newest are kept")
	}
	require.Equal(t, 1, log.count(slog.LevelError, "stream is full"))
	require.Greater(t, metric("serein.bus.stream_fill"), 0.9)
	state := h.fill(owner, 0, 0)
	require.InDelta(t, state.FirstSeq-1, metric("serein.bus.shed"), 0)
}

// reading handles events as mail does, until stop: from then on the broker delivers nothing to it.
func (h *harness) reading(b *bus.Bus) (got *deliveries, stop func()) {
	got = new(deliveries)
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = b.Consume(ctx, bus.Consumer{Name: consumer, Subject: subject, Handle: func(_ context.Context, e *eventsv1.Envelope) error {
			got.add(e.GetUid())
			return nil
		}})
	}()
	end := sync.OnceFunc(func() { cancel(); <-ended })
	h.t.Cleanup(end)
	return got, func() {
		h.t.Helper()
		end()
		// What the reader has asked for, and nobody receives any more, would count as delivered.
		h.eventually(func() bool { known := h.consumer(); return known == nil || known.NumWaiting == 0 }, "the broker gives it nothing more")
	}
}

func (h *harness) missed(owner *bus.Bus) []bus.Missed {
	h.t.Helper()
	missed, err := owner.Missed(h.t.Context(), time.Now())
	require.NoError(h.t, err)
	return missed
}

// The consumer was away while the stream shed what it had not handled; nobody may take that for
// having handled all.
func TestWhatIsShedBeforeItsConsumerHandledItIsNoticedOnceAndKeptInMind(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	owner, log, metric := h.measured(service)
	reader, _, readerMetric := h.measured("mail")
	began := time.Now()
	h.fill(owner, 0, 5)
	got, stop := h.reading(reader)
	h.eventually(func() bool { return len(got.list()) == 5 })
	stop()
	require.Empty(t, h.missed(owner))
	state := h.fill(owner, 5, 100)
	missed := h.missed(owner)
	require.Len(t, missed, 1)
	require.Equal(t, consumer, missed[0].Consumer)
	require.Equal(t, subject, missed[0].Subject)
	require.False(t, missed[0].Waits, "nobody reads")
	require.WithinRange(t, missed[0].From, began.Add(-time.Second), missed[0].To)
	require.True(t, missed[0].To.Equal(state.FirstTime), "all before the oldest that is left")
	require.LessOrEqual(t, metric("serein.bus.gap"), float64(state.FirstSeq-1))
	require.GreaterOrEqual(t, metric("serein.bus.gap"), float64(state.FirstSeq-1-5))
	require.Equal(t, 1, log.count(slog.LevelError, "events left the stream"))

	// The next publisher, on another machine, knows of the gap and does not report it again.
	next, nextLog, nextMetric := h.measured(service)
	_, stop = h.reading(reader)
	h.eventually(func() bool { return readerMetric("serein.bus.handled") == float64(5+state.Msgs) })
	h.eventually(func() bool { m := h.missed(next); return len(m) == 1 && m[0].Waits }, "it has handled the rest and asks for more")
	require.Zero(t, nextMetric("serein.bus.gap"))
	require.Zero(t, nextLog.count(slog.LevelError, ""))
	require.NoError(t, next.Repaired(t.Context(), missed[0], missed[0].From.Add(time.Microsecond), time.Now()))
	require.Len(t, h.missed(owner), 1, "a part")
	require.NoError(t, next.Repaired(t.Context(), missed[0], missed[0].To, time.Now()))
	require.Empty(t, h.missed(owner))
	stop()
}

// The broker counts an event that leaves its stream as acknowledged, although the process that had received it is dead.
func TestWhatAProcessHadInItsHandsWhenItDiedIsMissedToo(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	owner, _, metric := h.measured(service)
	reader, _, _ := h.measured("mail")
	_, stop := h.reading(reader)
	h.fill(owner, 0, 1)
	h.eventually(func() bool { return h.missed(owner) == nil && h.floor() == 1 })
	stop()
	dying, err := h.js.Consumer(t.Context(), bus.StreamName(service), consumer)
	require.NoError(t, err)
	h.fill(owner, 1, 3)
	batch, err := dying.Fetch(1)
	require.NoError(t, err)
	require.NotNil(t, <-batch.Messages())
	state := h.fill(owner, 3, 100)
	h.eventually(func() bool { return h.floor() > 1 }, "the broker calls it acknowledged")
	require.Len(t, h.missed(owner), 1)
	require.InDelta(t, state.FirstSeq-2, metric("serein.bus.gap"), 1)
}

// consumer is what the broker says of the one that reads, nil until somebody reads.
func (h *harness) consumer() *jetstream.ConsumerInfo {
	h.t.Helper()
	reader, err := h.js.Consumer(h.t.Context(), bus.StreamName(service), consumer)
	if errors.Is(err, jetstream.ErrConsumerNotFound) {
		return nil
	}
	require.NoError(h.t, err)
	return reader.CachedInfo()
}

// floor is up to where the broker says that all is acknowledged.
func (h *harness) floor() uint64 {
	if consumer := h.consumer(); consumer != nil {
		return consumer.AckFloor.Stream
	}
	return 0
}

// A consumer says how many events it has before it, from the moment that it begins.
func TestAConsumerSaysHowManyEventsWaitForIt(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	owner, _, _ := h.measured(service)
	reader, _, metric := h.measured("mail")
	h.fill(owner, 0, 7)
	_, stop := h.reading(reader)
	defer stop()
	require.Eventually(t, func() bool { return metric("serein.bus.pending") == 7 }, patience, 5*time.Millisecond)
}
