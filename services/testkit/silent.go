package testkit

import (
	"net"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
)

// Silent is the address of a part that accepts connections and never answers, until the test ends.
func Silent(tb testing.TB) string {
	tb.Helper()
	address, _ := CountedSilent(tb)
	return address
}

// CountedSilent is Silent, and says how many connections it has accepted: who asks no more adds none.
func CountedSilent(tb testing.TB) (address string, asked func() int) {
	tb.Helper()
	listener, err := (&net.ListenConfig{}).Listen(tb.Context(), "tcp", "127.0.0.1:0")
	require.NoError(tb, err)
	var (
		kept  []net.Conn
		count atomic.Int64
	)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			kept = append(kept, conn)
			count.Add(1)
		}
	}()
	tb.Cleanup(func() {
		_ = listener.Close()
		<-done
		for _, conn := range kept {
			_ = conn.Close()
		}
	})
	return listener.Addr().String(), func() int { return int(count.Load()) }
}
