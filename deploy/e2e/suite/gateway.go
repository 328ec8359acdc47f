package suite

import (
	"context"
	"net"
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"
)

// GatewayHost is the only one that it answers for.
func (p *Product) GatewayHost() string { return p.Host() }

// DialGateway opens a bare connection, on which a test writes what no client would.
func (p *Product) DialGateway(ctx context.Context, t *testing.T) net.Conn {
	t.Helper()
	address, err := url.Parse(p.URL())
	require.NoError(t, err)
	conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", "127.0.0.1:"+address.Port())
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close() })
	return conn
}
