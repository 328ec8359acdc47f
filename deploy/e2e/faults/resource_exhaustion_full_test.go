//go:build full

package faults

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"serein.app/deploy/e2e/harness"
	"serein.app/proto/gen/serein/web/v1/webv1connect"
)

const floodedCall = webv1connect.SessionServiceGetSessionProcedure

func TestAGigabyteIsCutAndCostsNoMemory(t *testing.T) { // not parallel: measures memory
	const gigabyte = 1 << 30
	withFlatMemory(t, func(ctx context.Context, _ *harness.Member) {
		for _, framing := range []string{"Content-Length: " + strconv.Itoa(gigabyte), "Transfer-Encoding: chunked"} {
			conn := product.DialGateway(ctx, t)
			_, err := fmt.Fprintf(conn, "POST %s HTTP/1.1\r\nHost: %s\r\nX-Serein: 1\r\nContent-Type: application/json\r\n%s\r\n\r\n",
				floodedCall, product.GatewayHost(), framing)
			require.NoError(t, err)
			block := []byte(strings.Repeat(" ", 1<<20))
			if strings.HasSuffix(framing, "chunked") {
				block = fmt.Appendf(nil, "%x\r\n%s\r\n", len(block), block)
			}
			sent := 0
			for ; sent < gigabyte && err == nil; sent += len(block) {
				_, err = conn.Write(block)
			}
			require.Error(t, err, framing)
			require.Less(t, sent, 64<<20, "of a gigabyte, only what the sockets hold")
		}
	})
}

func TestAGzipBombIsRefusedAndCostsNoMemory(t *testing.T) { // not parallel: measures memory
	var bomb bytes.Buffer
	z := gzip.NewWriter(&bomb)
	_, err := io.CopyN(z, zeros{}, 50<<20)
	require.NoError(t, err)
	require.NoError(t, z.Close())
	withFlatMemory(t, func(ctx context.Context, m *harness.Member) {
		for range 100 {
			page, err := m.Post(ctx, floodedCall, bomb.String(), "Content-Encoding", "gzip")
			require.NoError(t, err)
			require.Equal(t, http.StatusTooManyRequests, page.StatusCode)
			require.Equal(t, "TOO_LARGE", harness.RefusalIn(page).Reason)
		}
	})
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }

func TestTwoThousandSlowConnectionsAreCutAndStopNobody(t *testing.T) { // not parallel: measures memory
	withFlatMemory(t, func(ctx context.Context, m *harness.Member) {
		slow := make([]net.Conn, 2000)
		for i := range slow {
			slow[i] = product.DialGateway(ctx, t)
			_, _ = fmt.Fprintf(slow[i], "POST %s HTTP/1.1\r\nHost: %s\r\nX-Slow: %d", floodedCall, product.GatewayHost(), i) // it may be cut already
			if i%250 == 0 {
				requireServed(ctx, t, m)
			}
		}
		requireServed(ctx, t, m)
		var all sync.WaitGroup
		faults := make(chan error, len(slow))
		for _, conn := range slow {
			all.Go(func() { faults <- awaitCut(conn) })
		}
		all.Wait()
		close(faults)
		for fault := range faults {
			require.NoError(t, fault)
		}
	})
}

// cutTime bounds the wait for a connection to be cut: the gateway waits 5 s for headers, and longer where it has no processor.
const cutTime = 5 * time.Minute

// awaitCut waits until the other side has closed a connection.
func awaitCut(conn net.Conn) error {
	if err := conn.SetReadDeadline(time.Now().Add(cutTime)); err != nil {
		return err
	}
	_, err := io.Copy(io.Discard, conn)
	var timeout net.Error
	if errors.As(err, &timeout) && timeout.Timeout() {
		return fmt.Errorf("the connection is still open: %w", err)
	}
	return nil // at its end or reset: both are cut
}
