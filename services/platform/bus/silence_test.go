package bus_test

import (
	"bufio"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"serein.app/services/platform/bus"
	"serein.app/services/testkit"
)

// vanishing is a broker that greets every client and then falls silent: the connection
// stays open, as when a machine or a network is lost. Each greeting is sent on greeted.
func vanishing(t *testing.T) (url string, greeted <-chan struct{}) {
	t.Helper()
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	met := make(chan struct{}, 100)
	var open sync.WaitGroup
	open.Go(func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			open.Go(func() {
				defer func() { _ = conn.Close() }()
				_, _ = conn.Write([]byte("INFO {\"server_id\":\"x\",\"version\":\"2.12.0\",\"headers\":true,\"max_payload\":1048576}\r\n"))
				said := bufio.NewScanner(conn)
				for greeting := true; said.Scan(); {
					if greeting && strings.HasPrefix(said.Text(), "PING") {
						greeting = false
						_, _ = conn.Write([]byte("PONG\r\n"))
						met <- struct{}{}
					}
				}
			})
		}
	})
	t.Cleanup(func() { _ = listener.Close(); open.Wait() })
	return "nats://" + listener.Addr().String(), met
}

func TestABrokerThatIsGoneWithoutAWordIsNoticedWithinAMinute(t *testing.T) {
	t.Parallel()
	require.LessOrEqual(t, bus.Noticed, time.Minute)
	url, greeted := vanishing(t)
	b, err := bus.Connect(url, service, testkit.Logger(t), bus.Pinging(20*time.Millisecond))
	require.NoError(t, err)
	t.Cleanup(b.Close)
	<-greeted
	select {
	case <-greeted: // the client gave the connection up, and connected again
	case <-time.After(patience):
		require.Fail(t, "it is believed to be there")
	}
	require.Eventually(t, func() bool { return b.Reconnects() > 0 }, patience, look)
}
