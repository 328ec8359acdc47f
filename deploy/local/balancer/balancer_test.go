package balancer_test

import (
	"context"
	"fmt"
	"io"
	"net"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/deploy/local/balancer"
)

// replica answers each line with its name.
type replica struct {
	*balancer.Replica
	listener net.Listener
}

func newReplica(t *testing.T, name string) replica {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = listener.Close() })
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go func() {
				defer func() { _ = conn.Close() }()
				for {
					if _, err := conn.Read(make([]byte, 1)); err != nil {
						return
					}
					_, _ = fmt.Fprint(conn, name)
				}
			}()
		}
	}()
	r := replica{balancer.NewReplica(func(context.Context) bool { return false }), listener}
	r.Admit()
	return r
}

// serve runs a balancer of the replicas, and gives its address.
func serve(t *testing.T, replicas ...replica) (address string) {
	t.Helper()
	var targets []balancer.Target
	for _, r := range replicas {
		targets = append(targets, balancer.Target{Replica: r.Replica, Address: r.listener.Addr().String()})
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- balancer.New(targets...).Serve(ctx, listener) }()
	t.Cleanup(func() { stop(); require.NoError(t, <-ended) })
	return listener.Addr().String()
}

func dial(t *testing.T, address string) net.Conn {
	t.Helper()
	conn, err := net.Dial("tcp", address)
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close() })
	return conn
}

// asked is who answers on the connection; empty where it was ended.
func asked(conn net.Conn) string {
	answer := make([]byte, 1)
	if _, err := conn.Write([]byte{'?'}); err != nil {
		return ""
	}
	if _, err := conn.Read(answer); err != nil {
		return ""
	}
	return string(answer)
}

func TestConnectionsAreSharedOutAmongThoseThatAreReady(t *testing.T) {
	t.Parallel()
	address := serve(t, newReplica(t, "a"), newReplica(t, "b"))
	answers := map[string]int{}
	for range 6 {
		answers[asked(dial(t, address))]++
	}
	require.Equal(t, map[string]int{"a": 3, "b": 3}, answers)
}

func TestAReplicaThatIsReadyNoMoreKeepsItsConnectionsAndGetsNoOther(t *testing.T) {
	t.Parallel()
	a, b := newReplica(t, "a"), newReplica(t, "b")
	address := serve(t, a, b)
	conns := map[string]net.Conn{}
	for range 2 {
		conn := dial(t, address)
		conns[asked(conn)] = conn
	}
	watching, stop := context.WithCancel(t.Context())
	stop()
	require.NoError(t, a.Watch(watching)) // it asks once
	for range 4 {
		require.Equal(t, "b", asked(dial(t, address)))
	}
	require.Equal(t, "a", asked(conns["a"]))
}

func TestAReplicaThatRefusesIsPassedOver(t *testing.T) {
	t.Parallel()
	a, b := newReplica(t, "a"), newReplica(t, "b")
	address := serve(t, a, b)
	require.NoError(t, a.listener.Close())
	for range 4 {
		require.Equal(t, "b", asked(dial(t, address)))
	}
}

func TestWithoutAReplicaAConnectionIsClosed(t *testing.T) {
	t.Parallel()
	a := newReplica(t, "a")
	address := serve(t, a)
	require.NoError(t, a.listener.Close())
	_, err := dial(t, address).Read(make([]byte, 1))
	require.ErrorIs(t, err, io.EOF)
}

func TestTheEndOfASideReachesTheOther(t *testing.T) {
	t.Parallel()
	conn := dial(t, serve(t, newReplica(t, "a")))
	require.Equal(t, "a", asked(conn))
	require.NoError(t, conn.(*net.TCPConn).CloseWrite())
	_, err := conn.Read(make([]byte, 1))
	require.ErrorIs(t, err, io.EOF)
}

func TestAReplicaIsAskedUntilTheEnd(t *testing.T) {
	t.Parallel()
	ctx, stop := context.WithCancel(t.Context())
	var asked atomic.Int32
	r := balancer.NewReplica(func(context.Context) bool {
		if asked.Add(1) == 3 {
			stop()
		}
		return true
	})
	require.NoError(t, r.Watch(ctx))
	require.EqualValues(t, 3, asked.Load())
}
