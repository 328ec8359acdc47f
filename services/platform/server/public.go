package server

import (
	"context"
	"fmt"
	"net"
	"net/http"
)

// Public is the listener that browsers and apps reach, in the few services that have one. It
// answers what Handler answers and nothing else: RPC, reflection, health, readiness and metrics
// are the internal listener's.
type Public struct {
	// Listener takes the connections; see Listen.
	Listener *net.TCPListener
	// Handler bounds its bodies itself; see LimitBody.
	Handler http.Handler
	// Serve accepts connections with its own limits; nil serves as net/http does.
	Serve func(*http.Server, *net.TCPListener) error
}

// Listen opens a TCP address; port 0 picks a free one.
func Listen(ctx context.Context, addr string) (*net.TCPListener, error) {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("listen: %w", err)
	}
	tcp, ok := listener.(*net.TCPListener)
	if !ok {
		_ = listener.Close()
		return nil, fmt.Errorf("listen: %s is not TCP", addr)
	}
	return tcp, nil
}

// Public serves browsers beside the internal listener, from Run on and with the same shutdown.
func (s *Server) Public(p Public) {
	s.Defer(func(context.Context) error { _ = p.Listener.Close(); return nil }) // also when Run never came
	server := s.httpServer(p.Handler)
	// h2 is the proxy's; without it there is no stream to reset and no setting to flood.
	var protocols http.Protocols
	protocols.SetHTTP1(true)
	server.Protocols = &protocols
	serve := func() error { return server.Serve(p.Listener) }
	if p.Serve != nil {
		serve = func() error { return p.Serve(server, p.Listener) }
	}
	s.served = append(s.served, served{"public", p.Listener.Addr().String(), server, serve})
}
