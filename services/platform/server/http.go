package server

import (
	"context"
	"log" //nolint:depguard // net/http says what it has to say by one
	"net"
	"net/http"
	"time"

	"serein.app/services/platform/mtls"
)

// Limits of every connection.
const (
	// headerTime is how long a client may take to send its headers.
	headerTime = 5 * time.Second
	// bodyTime is how long one read of a body may wait.
	bodyTime = 15 * time.Second
	// idleTime closes keep-alive connections that nobody uses.
	idleTime = 2 * time.Minute
	// maxHeader is the largest request header that is read, in bytes. A public listener's guard refuses half of that already, in words.
	maxHeader = 64 << 10
	// maxBody is the largest request body, in bytes as sent; package rpc limits what it unpacks to.
	maxBody = 2 << 20
	// maxStreams is how many requests one h2c connection may have under way.
	maxStreams = 250
)

// internalServer answers the service's routes and the operators'; with mutual TLS, to clients with a certificate
// only.
func (s *Server) internalServer(listener net.Listener) (server *http.Server, serve func() error) {
	s.operations()
	var handler http.Handler = s.mux
	for _, outer := range s.wrap {
		handler = outer(handler)
	}
	if s.certs != nil {
		handler = mtls.RequireCertificate(handler)
	}
	server = s.httpServer(handler)
	server.Handler = LimitBody(server.Handler, s.larger)
	var protocols http.Protocols
	protocols.SetHTTP1(true)
	protocols.SetHTTP2(s.certs != nil)
	protocols.SetUnencryptedHTTP2(s.certs == nil)
	server.Protocols = &protocols
	server.HTTP2 = &http.HTTP2Config{MaxConcurrentStreams: maxStreams}
	if s.certs == nil {
		return server, func() error { return server.Serve(listener) }
	}
	server.TLSConfig = s.certs.Server()
	return server, func() error { return server.ServeTLS(listener, "", "") }
}

// httpServer has what both listeners need. Its requests outlive the signal to stop: they are
// drained, not cut. Streams end when the shutdown starts, so that draining does not wait for them.
func (s *Server) httpServer(handler http.Handler) *http.Server {
	return &http.Server{
		Handler:           s.recovered(handler),
		ReadHeaderTimeout: headerTime, IdleTimeout: idleTime, MaxHeaderBytes: maxHeader,
		BaseContext: func(net.Listener) context.Context {
			return context.WithValue(context.Background(), stoppingKey{}, s.Stopping())
		},
		ErrorLog: log.New(newFaults(s.tel.Log, time.Now), "", 0),
	}
}

// Stopping is closed when the server starts to shut down.
func (s *Server) Stopping() <-chan struct{} { return s.stopping }

type stoppingKey struct{}

// Stopping is closed when the server of a request's context starts to shut down: a stream ends
// itself then, so that its client comes back to another replica.
func Stopping(ctx context.Context) <-chan struct{} {
	stopping, _ := ctx.Value(stoppingKey{}).(<-chan struct{})
	return stopping
}
