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
// all to some 200 MiB.
const (
	MaxConnsPerAddress = 256
	MaxConns           = 10_000
)

// Connections caps open connections. At a cap the one that waits longest makes room: one that
// has not sent a complete request yet, or has sent none since. So a flood of slow connections
// costs the flood its own, while a visitor at the same address still gets in. Connections that
// are being served are never cut; where nothing waits, the newcomer goes.
type Connections struct {
	perAddress, total int
	proxies           clientip.Proxies

	mu      sync.Mutex
	open    int
	near    map[netip.Addr]*neighbours
	waiting list.List // of *conn, the longest waiting first
}

// neighbours are the connections of one address.
type neighbours struct {
	open    int
	waiting list.List
}

type conn struct {
	*net.TCPConn
	caps   *Connections
	addr   netip.Addr
	near   *neighbours
	place  *list.Element // in caps.waiting; nil while being served
	nearby *list.Element // in near.waiting
	gone   bool
}

// NewConnections makes the caps. Proxies are exempt from the cap per address: each brings many
// people's calls.
func NewConnections(perAddress, total int, proxies clientip.Proxies) *Connections {
	return &Connections{perAddress: perAddress, total: total, proxies: proxies, near: map[netip.Addr]*neighbours{}}
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
		own.addr = peer.Addr().Unmap()
	}
	c.mu.Lock()
	evicted, ok := c.makeRoom(own.addr)
	if ok {
		c.enter(own)
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

// makeRoom takes those out that must go for a newcomer, or says that there is no room.
func (c *Connections) makeRoom(addr netip.Addr) ([]*conn, bool) {
	var evicted []*conn
	if near := c.near[addr]; near != nil && near.open >= c.perAddress && !c.proxies.Trusts(addr) {
		if near.waiting.Len() == 0 {
			return nil, false
		}
		evicted = append(evicted, c.leaveFirst(&near.waiting))
	}
	if c.open >= c.total {
		if c.waiting.Len() == 0 {
			return evicted, false
		}
		evicted = append(evicted, c.leaveFirst(&c.waiting))
	}
	return evicted, true
}

func (c *Connections) leaveFirst(l *list.List) *conn {
	first, _ := l.Front().Value.(*conn)
	c.leave(first)
	return first
}

func (c *Connections) enter(own *conn) {
	own.near = c.near[own.addr]
	if own.near == nil {
		own.near = &neighbours{}
		c.near[own.addr] = own.near
	}
	c.open++
	own.near.open++
	own.startWaiting()
}

func (c *Connections) leave(own *conn) {
	if own.gone {
		return
	}
	own.gone = true
	own.stopWaiting()
	c.open--
	own.near.open--
	if own.near.open == 0 {
		delete(c.near, own.addr)
	}
}

func (c *Connections) wait(own *conn) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !own.gone {
		own.startWaiting()
	}
}

func (own *conn) startWaiting() {
	if own.place == nil {
		own.place = own.caps.waiting.PushBack(own)
		own.nearby = own.near.waiting.PushBack(own)
	}
}

func (own *conn) stopWaiting() {
	if own.place != nil {
		own.caps.waiting.Remove(own.place)
		own.near.waiting.Remove(own.nearby)
		own.place, own.nearby = nil, nil
	}
}

// Close leaves the caps too.
func (own *conn) Close() error {
	own.caps.mu.Lock()
	own.caps.leave(own)
	own.caps.mu.Unlock()
	return own.TCPConn.Close()
}
