package testkit

import (
	"net"
	"testing"

	"github.com/stretchr/testify/require"
)

// Silent is the address of a part that accepts connections and never answers, until the test ends.
func Silent(tb testing.TB) string {
	tb.Helper()
	listener, err := (&net.ListenConfig{}).Listen(tb.Context(), "tcp", "127.0.0.1:0")
	require.NoError(tb, err)
	var kept []net.Conn
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			kept = append(kept, conn)
		}
	}()
	tb.Cleanup(func() {
		_ = listener.Close()
		<-done
		for _, conn := range kept {
			_ = conn.Close()
		}
	})
	return listener.Addr().String()
}
