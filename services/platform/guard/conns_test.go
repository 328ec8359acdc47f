package guard

import (
	"net/netip"
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/services/platform/clientip"
)

// serves adds so many connections of an address that are being served.
func serves(t *testing.T, c *Connections, addr netip.Addr, count int) (admitted int) {
	t.Helper()
	for range count {
		if evicted, ok := c.makeRoom(c.counted(addr)); ok {
			require.Empty(t, evicted)
			own := &conn{caps: c, addr: c.counted(addr)}
			c.add(own)
			own.stopWaiting()
			admitted++
		}
	}
	return admitted
}

func TestNoFewAddressesTakeEveryConnection(t *testing.T) {
	t.Parallel()
	c := NewConnections(50, 1000, nil)
	flood := netip.MustParseAddr("192.0.2.0")
	for range 20 {
		flood = flood.Next()
		serves(t, c, flood, 50)
	}
	require.Equal(t, 900+2*fewConns, c.open, "of the last tenth each gets what three browsers open")
	visitor := netip.MustParseAddr("198.51.100.1")
	require.Equal(t, fewConns, serves(t, c, visitor, 30))
}

func TestAProxyIsUnderTheCapOfAllAlone(t *testing.T) {
	t.Parallel()
	proxies, err := clientip.ParseProxies("192.0.2.1")
	require.NoError(t, err)
	c := NewConnections(50, 100, proxies)
	require.Equal(t, 100, serves(t, c, netip.MustParseAddr("192.0.2.1"), 200))
}

func TestTheAddressesOfOneIPv6SubscriberAreOne(t *testing.T) {
	t.Parallel()
	proxies, err := clientip.ParseProxies("2001:db8:1:2::ffff")
	require.NoError(t, err)
	c := NewConnections(50, 1000, proxies)
	admitted := 0
	addr := netip.MustParseAddr("2001:db8:1:2::1")
	for range 200 {
		admitted += serves(t, c, addr, 1)
		addr = addr.Next()
	}
	require.Equal(t, 50, admitted)
	require.Equal(t, 50, serves(t, c, netip.MustParseAddr("2001:db8:1:3::1%eth0"), 60), "the next subscriber")
	require.Equal(t, 100, serves(t, c, netip.MustParseAddr("2001:db8:1:2::ffff"), 100), "a proxy among them")
}
