package guard

import (
	"container/list"
	"context"
	"net"
	"net/http"
	"net/netip"
	"sync"

	"serein.app/services/platform/clientip"
)

// The caps on open connections. A browser opens 6 to a host; an office of 40 people behind one
// address stays below the first. A connection costs about 20 KiB, so the second bounds them
// all to some 200 MiB. The last tenth is kept for addresses that hold few: what three browsers open.
const (
	MaxConnsPerAddress = 256
	MaxConns           = 10_000
	keptPart           = 10
	fewConns           = 18
)

// Connections caps open connections, by address (of IPv6 the /64 of a subscriber, as all limits count) and in all. A connection waits while its request has
// not arrived completely, or when it is idle between requests; in between it is being served. When a
// new connection comes at a cap, the one that has waited longest is closed to make room, so that a
// flood of slow connections closes its own while a visitor from the same address gets in.
// Connections that are being served are never closed; where none waits, the new one is refused.
// An address that holds more than a few is at its cap while only the kept tenth of all is free, so that
// no few addresses take every connection.
type Connections struct {
	perAddress, total int
	proxies           clientip.Proxies

	mu      sync.Mutex
	open    int
	byAddr  map[netip.Prefix]*atAddress
	waiting list.List // of *conn, the longest waiting first
}

// atAddress are the connections of one address.
type atAddress struct {
	open    int
	waiting list.List
}

type conn struct {
	*net.TCPConn
	caps   *Connections
	addr   netip.Prefix
	peers  *atAddress    // this connection among them
	inAll  *list.Element // in caps.waiting; nil while being served
	inAddr *list.Element // in peers.waiting; nil while being served
	closed bool
}

// NewConnections makes the caps. Proxies are exempt from the cap per address: each brings many
// people's calls.
func NewConnections(perAddress, total int, proxies clientip.Proxies) *Connections {
	return &Connections{perAddress: perAddress, total: total, proxies: proxies, byAddr: map[netip.Prefix]*atAddress{}}
}

// Serve serves on the listener under the caps.
func (c *Connections) Serve(s *http.Server, l *net.TCPListener) error {
	s.ConnContext = func(ctx context.Context, nc net.Conn) context.Context {
		return context.WithValue(ctx, connKey{}, nc)
	}
	s.ConnState = func(nc net.Conn, state http.ConnState) {
		if own, ok := nc.(*conn); ok && state == http.StateIdle {
			c.wait(own)
		}
	}
	return s.Serve(&cappedListener{TCPListener: l, caps: c})
}

// Open is how many connections there are.
func (c *Connections) Open() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.open
}

type connKey struct{}

// serving marks the request's connection as being served.
func serving(ctx context.Context) {
	if own, ok := ctx.Value(connKey{}).(*conn); ok {
		own.caps.mu.Lock()
		own.stopWaiting()
		own.caps.mu.Unlock()
	}
}

type cappedListener struct {
	*net.TCPListener
	caps *Connections
}

// Accept gives the next connection that there is room for.
func (l *cappedListener) Accept() (net.Conn, error) {
	for {
		tcp, err := l.AcceptTCP()
		if err != nil {
			return nil, err
		}
		if own := l.caps.admit(tcp); own != nil {
			return own, nil
		}
		_ = tcp.Close()
	}
}

func (c *Connections) admit(tcp *net.TCPConn) *conn {
	own := &conn{TCPConn: tcp, caps: c}
	if peer, err := netip.ParseAddrPort(tcp.RemoteAddr().String()); err == nil {
		own.addr = c.counted(peer.Addr())
	}
	c.mu.Lock()
	evicted, ok := c.makeRoom(own.addr)
	if ok {
		c.add(own)
	}
	c.mu.Unlock()
	for _, other := range evicted { // outside the lock: Close takes it
		_ = other.TCPConn.Close()
	}
	if !ok {
		return nil
	}
	return own
}

// counted is what of an address connections are counted by: the whole of a proxy's, so that its neighbours are no proxies.
func (c *Connections) counted(addr netip.Addr) netip.Prefix {
	if addr = addr.Unmap().WithZone(""); c.proxies.Trusts(addr) {
		return netip.PrefixFrom(addr, addr.BitLen())
	}
	return clientip.Subscriber(addr)
}

// makeRoom takes out of the caps what must be closed for a new connection of addr; not ok: there is
// no room.
func (c *Connections) makeRoom(addr netip.Prefix) ([]*conn, bool) {
	var evicted []*conn
	if peers := c.byAddr[addr]; peers != nil && peers.open >= c.capOf(addr) {
		if peers.waiting.Len() == 0 {
			return nil, false
		}
		evicted = append(evicted, c.removeFirst(&peers.waiting))
	}
	if c.open >= c.total {
		if c.waiting.Len() == 0 {
			return evicted, false
		}
		evicted = append(evicted, c.removeFirst(&c.waiting))
	}
	return evicted, true
}

// capOf is how many connections the address may hold now.
func (c *Connections) capOf(addr netip.Prefix) int {
	switch {
	case addr.IsSingleIP() && c.proxies.Trusts(addr.Addr()):
		return c.total
	case c.open >= c.total-c.total/keptPart:
		return min(fewConns, c.perAddress)
	}
	return c.perAddress
}

func (c *Connections) removeFirst(l *list.List) *conn {
	first, _ := l.Front().Value.(*conn)
	c.remove(first)
	return first
}

func (c *Connections) add(own *conn) {
	own.peers = c.byAddr[own.addr]
	if own.peers == nil {
		own.peers = &atAddress{}
		c.byAddr[own.addr] = own.peers
	}
	c.open++
	own.peers.open++
	own.startWaiting()
}

func (c *Connections) remove(own *conn) {
	if own.closed {
		return
	}
	own.closed = true
	own.stopWaiting()
	c.open--
	own.peers.open--
	if own.peers.open == 0 {
		delete(c.byAddr, own.addr)
	}
}

func (c *Connections) wait(own *conn) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !own.closed {
		own.startWaiting()
	}
}

func (own *conn) startWaiting() {
	if own.inAll == nil {
		own.inAll = own.caps.waiting.PushBack(own)
		own.inAddr = own.peers.waiting.PushBack(own)
	}
}

func (own *conn) stopWaiting() {
	if own.inAll != nil {
		own.caps.waiting.Remove(own.inAll)
		own.peers.waiting.Remove(own.inAddr)
		own.inAll, own.inAddr = nil, nil
	}
}

// Close makes room under the caps too.
func (own *conn) Close() error {
	own.caps.mu.Lock()
	own.caps.remove(own)
	own.caps.mu.Unlock()
	return own.TCPConn.Close()
}
