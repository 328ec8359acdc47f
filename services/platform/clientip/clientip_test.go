package clientip_test

import (
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/services/platform/clientip"
)

func parse(tb testing.TB, list string) clientip.Proxies {
	tb.Helper()
	proxies, err := clientip.ParseProxies(list)
	require.NoError(tb, err)
	return proxies
}

func request(peer string, forwarded ...string) *http.Request {
	r := httptest.NewRequest(http.MethodGet, "/", nil)
	r.RemoteAddr = peer
	for _, f := range forwarded {
		r.Header.Add("X-Forwarded-For", f)
	}
	return r
}

func TestAForgedAddressChangesNothing(t *testing.T) {
	t.Parallel()
	proxies := parse(t, "10.0.0.0/8, 192.0.2.1, fd00::/8")
	for _, c := range []struct{ peer, forwarded, want string }{
		{"203.0.113.5:1", "", "203.0.113.5"},
		{"203.0.113.5:1", "198.51.100.1", "203.0.113.5"},                   // not a proxy: its claim is nothing
		{"10.1.2.3:1", "198.51.100.1", "198.51.100.1"},                     // a proxy's word
		{"10.1.2.3:1", "6.6.6.6, 198.51.100.1", "198.51.100.1"},            // what stands left was invented
		{"10.1.2.3:1", "6.6.6.6, 198.51.100.1, 192.0.2.1", "198.51.100.1"}, // through two proxies
		{"10.1.2.3:1", "6.6.6.6, junk", "10.1.2.3"},                        // nonsense ends the search
		{"10.1.2.3:1", "6.6.6.6, ", "10.1.2.3"},                            // so does nothing at all
		{"10.1.2.3:1", "6.6.6.6, junk, 192.0.2.1", "192.0.2.1"},            // and its sender counts
		{"10.1.2.3:1", "", "10.1.2.3"},                                     // a proxy without a word
		{"10.1.2.3:1", "10.9.9.9, 10.8.8.8", "10.9.9.9"},                   // all ours
		{"[::ffff:10.1.2.3]:1", "198.51.100.1", "198.51.100.1"},            // the same in another coat
		{"10.1.2.3:1", "::ffff:198.51.100.1", "198.51.100.1"},
		{"[2001:db8:1:2:3:4:5:6]:1", "", "2001:db8:1:2::/64"},      // one subscriber
		{"[2001:db8:1:2:ffff::1%eth0]:1", "", "2001:db8:1:2::/64"}, // with a zone
		{"[fd00::1]:1", "2001:db8:9:9::1", "2001:db8:9:9::/64"},    // forwarded
		{"[fd00::1%eth0]:1", "198.51.100.1", "198.51.100.1"},       // a proxy with a zone
		{"10.1.2.3:1", "198.51.100.1:4711", "198.51.100.1"},        // some proxies write the port too
		{"10.1.2.3:1", "[2001:db8:9:9::1]:4711", "2001:db8:9:9::/64"},
		{"10.1.2.3:1", "[2001:db8:9:9::1]", "2001:db8:9:9::/64"},
		{"10.1.2.3:1", "2001:db8:9:9::1%eth0", "2001:db8:9:9::/64"},
		{"10.1.2.3", "198.51.100.1", "198.51.100.1"}, // a connection without a port
		{"not an address", "198.51.100.1", clientip.Unknown},
		{"", "198.51.100.1", clientip.Unknown},
		{"@", "198.51.100.1", clientip.Unknown}, // a unix socket
	} {
		require.Equal(t, c.want, proxies.Key(request(c.peer, c.forwarded)), "%s said %q", c.peer, c.forwarded)
	}
}

func TestSeveralHeadersAreOneList(t *testing.T) {
	t.Parallel()
	proxies := parse(t, "10.0.0.0/8")
	require.Equal(t, "198.51.100.1", proxies.Key(request("10.0.0.1:1", "6.6.6.6", "198.51.100.1", "10.0.0.2")))
}

func TestWithoutProxiesNoHeaderCounts(t *testing.T) {
	t.Parallel()
	require.Equal(t, "10.0.0.1", clientip.Proxies(nil).Key(request("10.0.0.1:1", "198.51.100.1")))
}

func TestProxiesAreAddressesAndPrefixesInEveryCommonForm(t *testing.T) {
	t.Parallel()
	for list, trusted := range map[string]string{
		"192.0.2.7":               "192.0.2.7",
		"192.0.2.7:8080":          "192.0.2.7",
		" 10.0.0.0/8 ,, ":         "10.255.255.255",
		"10.1.2.3/8":              "10.0.0.1", // the host's bits are not looked at
		"2001:db8::1":             "2001:db8::1",
		"[2001:db8::1]":           "2001:db8::1",
		"[2001:db8::1]:443":       "2001:db8::1",
		"fe80::1%eth0":            "fe80::1%eth1", // the zone is the machine's business
		"fd00::/8":                "fdff::1",
		"::ffff:192.0.2.7":        "192.0.2.7",
		"::ffff:10.0.0.0/104":     "10.1.2.3",
		"192.0.2.0/24,10.0.0.0/8": "::ffff:10.1.2.3",
	} {
		proxies := parse(t, list)
		require.True(t, proxies.Trusts(netip.MustParseAddr(trusted)), "%q trusts %s", list, trusted)
		require.False(t, proxies.Trusts(netip.MustParseAddr("203.0.113.1")), list)
	}
	require.Empty(t, parse(t, " , "))
	for _, bad := range []string{"everybody", "10.0.0.0/33", "10.0.0", "10.0.0.0/8, everybody", "[10.0.0.1", "2001:db8::1/129", "host:80"} {
		_, err := clientip.ParseProxies(bad)
		require.ErrorContains(t, err, strings.TrimSpace(bad[strings.LastIndex(bad, ",")+1:]), bad)
	}
}

// Whatever is sent: nobody but a trusted proxy moves the address, and a key is an address,
// a /64 or unknown.
func FuzzOnlyATrustedProxyMovesTheAddress(f *testing.F) {
	for _, seed := range [][2]string{{"203.0.113.5:1", "10.0.0.1"}, {"10.0.0.1:1", "a,b,,"}, {"[fe80::1%a]:1", "[::1]:2"}, {"", ","}, {"10.0.0.1:1", "%, [::, 1.2.3.4%x"}} {
		f.Add(seed[0], seed[1])
	}
	proxies := parse(f, "10.0.0.0/8, fd00::/8")
	f.Fuzz(func(t *testing.T, peer, forwarded string) {
		alone, named := proxies.Addr(request(peer)), proxies.Addr(request(peer, forwarded))
		if alone != named && !proxies.Trusts(alone) {
			t.Fatalf("%q moved from %s to %s", peer, alone, named)
		}
		key := proxies.Key(request(peer, forwarded))
		if key == clientip.Unknown {
			return
		}
		if prefix, err := netip.ParsePrefix(key); err == nil {
			require.Equal(t, 64, prefix.Bits())
			return
		}
		addr, err := netip.ParseAddr(key)
		require.NoError(t, err)
		require.True(t, addr.Is4())
	})
}
