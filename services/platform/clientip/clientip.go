// Package clientip finds who a request comes from when proxies stand in front. It believes no
// header but one that a trusted proxy wrote.
package clientip

import (
	"fmt"
	"net/http"
	"net/netip"
	"strings"
)

// Unknown is the key of a request whose address cannot be read.
const Unknown = "unknown"

// Proxies are trusted proxies' addresses. A forwarded address counts only when one of them
// says it; anybody else's X-Forwarded-For is a claim like any other.
type Proxies []netip.Prefix

// ParseProxies reads a list of addresses and prefixes, "10.0.0.0/8, 192.0.2.7, [2001:db8::1]";
// a port or zone behind an address is ignored. Empty: none are trusted.
func ParseProxies(list string) (Proxies, error) {
	var proxies Proxies
	for entry := range strings.SplitSeq(list, ",") {
		entry = strings.TrimSpace(entry)
		if entry == "" {
			continue
		}
		prefix, err := netip.ParsePrefix(entry)
		if err != nil {
			addr, ok := parse(entry)
			if !ok {
				return nil, fmt.Errorf("%q is neither an address nor a prefix", entry)
			}
			prefix = netip.PrefixFrom(addr, addr.BitLen())
		}
		proxies = append(proxies, unmap(prefix).Masked())
	}
	return proxies, nil
}

// unmap gives the IPv4 prefix that an IPv4-mapped one stands for, as addresses are compared.
func unmap(p netip.Prefix) netip.Prefix {
	const mappedBits = 96
	if p.Addr().Is4In6() && p.Bits() >= mappedBits {
		return netip.PrefixFrom(p.Addr().Unmap(), p.Bits()-mappedBits)
	}
	return p
}

// parse reads an address in any form that a proxy or a configuration writes it: bare, in
// brackets, with a port, with a zone. Ports and zones say nothing about who it is.
func parse(text string) (netip.Addr, bool) {
	text = strings.TrimSpace(text)
	addr, err := netip.ParseAddr(text)
	if err != nil {
		var withPort netip.AddrPort
		withPort, err = netip.ParseAddrPort(text)
		addr = withPort.Addr()
	}
	if err != nil && strings.HasPrefix(text, "[") && strings.HasSuffix(text, "]") {
		addr, err = netip.ParseAddr(text[1 : len(text)-1])
	}
	return addr.Unmap().WithZone(""), err == nil
}

// Trusts says whether addr is one of the proxies.
func (p Proxies) Trusts(addr netip.Addr) bool {
	addr = addr.Unmap().WithZone("")
	for _, prefix := range p {
		if prefix.Contains(addr) {
			return true
		}
	}
	return false
}

// Addr is the address that a request comes from: the right-most forwarded address that is not a
// proxy of ours, since a client can invent everything to the left of it. An entry that is no
// address ends the search; Addr is then the sender of that entry, which is the next address to the
// right. Addr is invalid if the connection's own address cannot be read.
func (p Proxies) Addr(r *http.Request) netip.Addr {
	addr, ok := parse(r.RemoteAddr)
	if !ok {
		return netip.Addr{}
	}
	if !p.Trusts(addr) {
		return addr
	}
	hops := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	for i := len(hops) - 1; i >= 0; i-- {
		hop, ok := parse(hops[i])
		if !ok {
			break
		}
		if addr = hop; !p.Trusts(addr) {
			break
		}
	}
	return addr
}

// Subscriber is what of an address belongs to one subscriber: an IPv4 address, or the /64 of an IPv6 one. It is invalid for an invalid
// address.
func Subscriber(addr netip.Addr) netip.Prefix {
	const subscriberBits = 64
	addr = addr.Unmap()
	prefix, err := addr.Prefix(min(subscriberBits, addr.BitLen()))
	if err != nil {
		return netip.Prefix{}
	}
	return prefix
}

// Key is the client in the form that limits count by: the IPv4 address, or the /64 that one
// IPv6 subscriber has.
func (p Proxies) Key(r *http.Request) string {
	switch prefix := Subscriber(p.Addr(r)); {
	case !prefix.IsValid():
		return Unknown
	case prefix.IsSingleIP():
		return prefix.Addr().String()
	default:
		return prefix.String()
	}
}
