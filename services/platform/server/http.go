package server

import (
	"context"
	"log/slog"
	"net"
	"net/http"
	"time"
)

// Limits of every connection.
const (
	// headerTime is how long a client may take to send its headers.
	headerTime = 5 * time.Second
	// bodyTime is how long one read of a body may wait.
	bodyTime = 15 * time.Second
	// idleTime closes keep-alive connections that nobody uses.
	idleTime = 2 * time.Minute
	// maxHeader is the largest request header, in bytes.
	maxHeader = 32 << 10
	// maxBody is the largest request body, in bytes as sent; package rpc limits what it unpacks to.
	maxBody = 2 << 20
	// maxStreams is how many requests one h2c connection may have under way.
	maxStreams = 250
)

func (s *Server) httpServer(base context.Context) *http.Server {
	s.operations()
	var handler http.Handler = s.mux
	for _, outer := range s.wrap {
		handler = outer(handler)
	}
	var protocols http.Protocols
	protocols.SetHTTP1(true)
	protocols.SetUnencryptedHTTP2(true)
	// Streams end when the shutdown starts, so that draining does not wait for them.
	ctx, cancel := context.WithCancel(base)
	server := &http.Server{
		Handler: limitBody(Recover(s.tel.Log, handler)), Protocols: &protocols,
		ReadHeaderTimeout: headerTime, IdleTimeout: idleTime, MaxHeaderBytes: maxHeader,
		HTTP2:       &http.HTTP2Config{MaxConcurrentStreams: maxStreams},
		BaseContext: func(net.Listener) context.Context { return withStopping(base, ctx) },
		ErrorLog:    slog.NewLogLogger(s.tel.Log.Handler(), slog.LevelDebug),
	}
	server.RegisterOnShutdown(cancel)
	return server
}

type stoppingKey struct{}

func withStopping(ctx, stopping context.Context) context.Context {
	return context.WithValue(ctx, stoppingKey{}, stopping)
}

// Stopping is closed when the server starts to shut down: a stream ends itself then, so that
// its client comes back to another replica.
func Stopping(ctx context.Context) <-chan struct{} {
	if stopping, ok := ctx.Value(stoppingKey{}).(context.Context); ok {
		return stopping.Done()
	}
	return nil
}
