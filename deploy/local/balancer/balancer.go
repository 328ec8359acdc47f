// Package balancer leads TCP connections to those of several replicas that are ready, as a Service of Kubernetes does: it chooses a replica
// for each new connection, and leaves a connection that stands until one of its sides ends it. What goes over it is not its business.
package balancer

import (
	"context"
	"errors"
	"io"
	"net"
	"sync"
	"sync/atomic"
	"time"
)

// dialTime bounds a connection's beginning; all replicas are on this machine.
const dialTime = 10 * time.Second

var errNobody = errors.New("no replica is ready")

// Target is where a replica takes connections of one kind.
type Target struct {
	Replica *Replica
	Address string
}

// Balancer shares connections out, in turn.
type Balancer struct {
	targets []Target
	turn    atomic.Uint64
}

// New shares connections out among the targets.
func New(targets ...Target) *Balancer { return &Balancer{targets: targets} }

// Serve takes connections until ctx ends, and ends then those that stand.
func (b *Balancer) Serve(ctx context.Context, listener net.Listener) error {
	stop := context.AfterFunc(ctx, func() { _ = listener.Close() })
	defer stop()
	var open sync.WaitGroup
	defer open.Wait()
	for {
		conn, err := listener.Accept()
		if ctx.Err() != nil {
			return nil
		}
		if err != nil {
			return err
		}
		open.Go(func() { b.lead(ctx, conn) })
	}
}

// lead takes a connection to a replica. Where none is ready it is closed, as a Service without endpoints does.
func (b *Balancer) lead(ctx context.Context, from net.Conn) {
	defer func() { _ = from.Close() }()
	to, err := b.dial(ctx)
	if err != nil {
		return
	}
	Join(ctx, from, to)
}

// Join passes what each side of two connections sends to the other until both have ended, or ctx ends, and closes both.
func Join(ctx context.Context, one, other net.Conn) {
	end := func() { _, _ = one.Close(), other.Close() }
	defer end()
	stop := context.AfterFunc(ctx, end)
	defer stop()
	var both sync.WaitGroup
	both.Go(func() { pass(other, one) })
	both.Go(func() { pass(one, other) })
	both.Wait()
}

// dial connects to the next replica that is ready. One that refuses has just ended, and is passed over.
func (b *Balancer) dial(ctx context.Context) (net.Conn, error) {
	turn := b.turn.Add(1)
	for i := range uint64(len(b.targets)) {
		target := b.targets[(turn+i)%uint64(len(b.targets))]
		if !target.Replica.ready.Load() {
			continue
		}
		conn, err := (&net.Dialer{Timeout: dialTime}).DialContext(ctx, "tcp", target.Address)
		if err == nil {
			return conn, nil
		}
		target.Replica.ready.Store(false)
	}
	return nil, errNobody
}

// pass takes what one side sends to the other, and its end too.
func pass(to, from net.Conn) {
	_, _ = io.Copy(to, from)
	if half, ok := to.(interface{ CloseWrite() error }); ok { // of TCP, and of TLS over it
		_ = half.CloseWrite()
	}
}
