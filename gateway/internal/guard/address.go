package guard

import (
	"fmt"
	"net/http"
	"net/netip"
	"strings"
)

// Proxies are trusted proxies' addresses. A forwarded address counts only when one of them
// says it; anybody else's X-Forwarded-For is a claim like any other.
type Proxies []netip.Prefix

// ParseProxies reads "10.0.0.0/8, 192.0.2.7". Empty: none are trusted.
func ParseProxies(list string) (Proxies, error) {
	var proxies Proxies
	for entry := range strings.SplitSeq(list, ",") {
		entry = strings.TrimSpace(entry)
		if entry == "" {
			continue
		}
		prefix, err := netip.ParsePrefix(entry)
		if err != nil {
			addr, aerr := netip.ParseAddr(entry)
			if aerr != nil {
				return nil, fmt.Errorf("%q is neither an address nor a prefix", entry)
			}
			prefix = netip.PrefixFrom(addr, addr.BitLen())
		}
		proxies = append(proxies, prefix.Masked())
	}
	return proxies, nil
}

// Trusts says whether addr is one of the proxies.
func (p Proxies) Trusts(addr netip.Addr) bool {
	addr = addr.Unmap()
	for _, prefix := range p {
		if prefix.Contains(addr) {
			return true
		}
	}
	return false
}

// Client is who a request comes from, in the form that limits count by: the IPv4 address, or
// the /64 that one IPv6 subscriber has. The right-most forwarded address that is not a proxy of
// ours counts; what stands left of it could be anybody's invention.
func (p Proxies) Client(r *http.Request) string {
	peer, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return "unknown"
	}
	addr := peer.Addr().Unmap()
	if len(p) == 0 || !p.Trusts(addr) {
		return limitKey(addr)
	}
	hops := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	for i := len(hops) - 1; i >= 0; i-- {
		hop, err := netip.ParseAddr(strings.TrimSpace(hops[i]))
		if err != nil {
			break
		}
		addr = hop.Unmap()
		if !p.Trusts(addr) {
			break
		}
	}
	return limitKey(addr)
}

func limitKey(addr netip.Addr) string {
	if addr.Is4() {
		return addr.String()
	}
	prefix, err := addr.WithZone("").Prefix(64)
	if err != nil {
		return addr.String()
	}
	return prefix.String()
}
