package outbox_test

import (
	"context"
	"io"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"serein.app/services/platform/bus"
	"serein.app/services/platform/outbox"
	"serein.app/services/testkit"
)

// gate is a way to a broker that can be made to carry nothing, in either direction, while it stays open.
type gate struct {
	addr string
	shut sync.RWMutex // written to: nothing passes
}

// newGate carries connections to the address to; where that is empty it accepts them and never answers.
func newGate(t *testing.T, to string) *gate {
	t.Helper()
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	g := &gate{addr: listener.Addr().String()}
	var carrying sync.WaitGroup
	ctx, cancel := context.WithCancel(context.Background())
	carrying.Go(func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			carrying.Go(func() { g.carry(ctx, conn, to) })
		}
	})
	t.Cleanup(func() { cancel(); _ = listener.Close(); carrying.Wait() })
	return g
}

// carry ends with ctx or with either side.
func (g *gate) carry(ctx context.Context, conn net.Conn, to string) {
	defer func() { _ = conn.Close() }()
	if to == "" {
		<-ctx.Done()
		return
	}
	broker, err := (&net.Dialer{}).DialContext(ctx, "tcp", to)
	if err != nil {
		return
	}
	context.AfterFunc(ctx, func() { _, _ = conn.Close(), broker.Close() })
	var ways sync.WaitGroup
	ways.Go(func() { g.pass(broker, conn) })
	ways.Go(func() { g.pass(conn, broker) })
	ways.Wait()
}

func (g *gate) pass(to io.WriteCloser, from io.Reader) {
	defer func() { _ = to.Close() }()
	buffer := make([]byte, 32<<10)
	for {
		n, err := from.Read(buffer)
		g.shut.RLock()
		_, werr := to.Write(buffer[:n])
		g.shut.RUnlock()
		if err != nil || werr != nil {
			return
		}
	}
}

// through makes the bundle's relay talk to the broker through a gate.
func (b *bundle) through(g *gate) {
	b.t.Helper()
	b.halt()
	connection, err := bus.Connect("nats://"+g.addr, "identity", testkit.Logger(b.t))
	require.NoError(b.t, err)
	b.t.Cleanup(connection.Close)
	b.out = outbox.New(b.from.Pool, connection, "identity", testkit.Logger(b.t), time.Now)
	b.work()
}

// returns fails a test whose call waits for a broker that never answers.
func returns(t *testing.T, what string, call func()) {
	t.Helper()
	returned := make(chan struct{})
	go func() { defer close(returned); call() }()
	select {
	case <-returned:
	case <-time.After(patience):
		require.Fail(t, "it does not return", what)
	}
}

// A change never waits for the broker, and neither does the end of the process.
func TestABrokerThatStallsDelaysEventsAlone(t *testing.T) {
	t.Parallel()
	b := setup(t)
	g := newGate(t, strings.TrimPrefix(b.broker.URL, "nats://"))
	b.through(g)
	b.register("one")
	b.eventually("one")
	g.shut.Lock()
	stalled := true
	defer func() {
		if stalled {
			g.shut.Unlock()
		}
	}()
	for _, uid := range []string{"two", "three"} {
		b.register(uid)
	}
	returns(t, "the end of a relay", b.halt)
	b.register("four") // nobody publishes anything: a change that waited for that would wait for ever
	b.work()
	g.shut.Unlock()
	stalled = false
	b.eventually("one", "two", "three", "four")
	b.published()
}

// It is not connected: nothing is asked of the database, and nothing is lost.
func TestABrokerThatAcceptsAndNeverAnswersDelaysEventsAlone(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.through(newGate(t, ""))
	b.register("one")
	returns(t, "the end of the relay", b.halt)
	b.through(newGate(t, strings.TrimPrefix(b.broker.URL, "nats://")))
	b.eventually("one")
}
