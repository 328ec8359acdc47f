package bus_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"serein.app/services/platform/bus"
	"serein.app/services/testkit"
)

// batch are events with ids from one number up to another.
func batch(t *testing.T, from, to int) []bus.Message {
	t.Helper()
	var messages []bus.Message
	for n := from; n < to; n++ {
		messages = append(messages, bus.Message{ID: fmt.Sprint(n), Subject: subject, Data: envelope(t, fmt.Sprint(n))})
	}
	return messages
}

// Whether or not some are there already, each is stored once and in order.
func TestABatchIsStoredOnceWhateverOfItIsThereAlready(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	got, _ := h.consume(func(context.Context, string, int) error { return nil })
	for _, part := range [][2]int{{0, 100}, {0, 100}, {50, 150}, {150, 151}, {140, 160}} {
		stored, err := h.bus.Publish(t.Context(), bus.StreamName(service), batch(t, part[0], part[1]))
		require.NoError(t, err)
		require.Equal(t, part[1]-part[0], stored)
	}
	h.eventually(func() bool { return len(got.list()) >= 160 })
	for n, uid := range got.list() {
		require.Equal(t, fmt.Sprint(n), uid)
	}
}

func TestAFullBatchIsStoredWhole(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	for _, size := range []int{bus.MaxBatch, bus.MaxBatch + 1} {
		stored, err := h.bus.Publish(t.Context(), bus.StreamName(service), batch(t, 10_000*size, 10_000*size+size))
		require.NoError(t, err)
		require.Equal(t, size, stored)
	}
	stream, err := h.js.Stream(t.Context(), bus.StreamName(service))
	require.NoError(t, err)
	require.EqualValues(t, 2*bus.MaxBatch+1, stream.CachedInfo().State.Msgs)
}

// stalled is a broker that lets everybody in and answers nothing from then on.
func stalled(t *testing.T) (url string) {
	t.Helper()
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = listener.Close() })
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			_, _ = conn.Write([]byte(`INFO {"server_id":"S","version":"2.15.2","max_payload":1048576,"headers":true,"proto":1}` + "\r\n"))
			go func() {
				defer func() { _ = conn.Close() }()
				answered := false
				for buf := make([]byte, 64<<10); ; {
					if _, err := conn.Read(buf); err != nil {
						return
					}
					if !answered {
						_, _ = conn.Write([]byte("PONG\r\n"))
						answered = true
					}
				}
			}()
		}
	}()
	return "nats://" + listener.Addr().String()
}

func TestABrokerThatNeverAnswersCostsNoMoreThanTheDeadline(t *testing.T) {
	t.Parallel()
	b, err := bus.Connect(stalled(t), service, testkit.Logger(t))
	require.NoError(t, err, "a service starts")
	t.Cleanup(b.Close)
	require.Eventually(t, b.Connected, patience, look)
	one, many := batch(t, 0, 1), batch(t, 0, 10)
	for name, ask := range map[string]func(context.Context) error{
		"declare": func(ctx context.Context) error { _, err := b.EnsureStream(ctx, service); return err },
		"one":     func(ctx context.Context) error { _, err := b.Publish(ctx, bus.StreamName(service), one); return err },
		"many":    func(ctx context.Context) error { _, err := b.Publish(ctx, bus.StreamName(service), many); return err },
		"measure": b.WatchStream,
	} {
		// Its own time, which is longer, ends it in other words. On a slow machine it may be the first all the same.
		require.Eventually(t, func() bool {
			ctx, cancel := context.WithCancel(t.Context())
			defer time.AfterFunc(50*time.Millisecond, cancel).Stop()
			return errors.Is(ask(ctx), context.Canceled)
		}, patience, look, name)
	}
}
