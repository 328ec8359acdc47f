// Package server is the one HTTP server of a service: HTTP/1.1 and h2c on one port, so that
// Connect, gRPC and gRPC-Web all work; health, readiness, metrics and reflection; limits on
// sizes and times; and an ordered shutdown.
package server

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"connectrpc.com/connect"
	"connectrpc.com/grpchealth"
	"connectrpc.com/grpcreflect"

	"serein.app/services/platform/telemetry"
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
	// shutdownTime bounds an ordered shutdown.
	shutdownTime = 15 * time.Second
	// readyTime bounds one readiness check.
	readyTime = 2 * time.Second
)

// Config of the server.
type Config struct {
	// Addr to listen on; port 0 picks a free one.
	Addr string `env:"ADDR" envDefault:"127.0.0.1:0"`
	// DrainDelay is how long the server goes on answering after readiness has failed, so that
	// load balancers notice.
	DrainDelay time.Duration `env:"DRAIN_DELAY" envDefault:"0s"`
}

type check struct {
	name string
	run  func(context.Context) error
}

type loop struct {
	name string
	run  func(context.Context) error
}

// Server runs one service. Add everything before Run.
type Server struct {
	name   string
	cfg    Config
	tel    *telemetry.Telemetry
	mux    *http.ServeMux
	names  []string
	checks []check
	loops  []loop
	closes []func(context.Context) error
	wrap   []func(http.Handler) http.Handler

	draining  atomic.Bool
	listening chan string
}

// New makes the server of a service.
func New(name string, cfg Config, tel *telemetry.Telemetry) *Server {
	return &Server{name: name, cfg: cfg, tel: tel, mux: http.NewServeMux(), listening: make(chan string, 1)}
}

// Handle adds a plain route.
func (s *Server) Handle(pattern string, h http.Handler) { s.mux.Handle(pattern, h) }

// HandleRPC adds what a generated NewXHandler returns, and its name to health and reflection.
func (s *Server) HandleRPC(path string, h http.Handler) {
	s.names = append(s.names, strings.Trim(path, "/"))
	s.mux.Handle(path, h)
}

// Wrap puts a handler around all routes; the last one added is the outermost.
func (s *Server) Wrap(outer func(http.Handler) http.Handler) { s.wrap = append(s.wrap, outer) }

// Ready adds a condition of readiness.
func (s *Server) Ready(name string, run func(context.Context) error) {
	s.checks = append(s.checks, check{name, run})
}

// Go adds a background loop. Its context ends when the shutdown starts, before the handlers
// are drained. A loop that fails ends the service.
func (s *Server) Go(name string, run func(context.Context) error) {
	s.loops = append(s.loops, loop{name, run})
}

// Defer adds a closing step; steps run last in, first out, also when Run fails early.
func (s *Server) Defer(run func(context.Context) error) { s.closes = append(s.closes, run) }

// Addr waits until the server listens and gives its address.
func (s *Server) Addr(ctx context.Context) (string, error) {
	select {
	case addr := <-s.listening:
		s.listening <- addr
		return addr, nil
	case <-ctx.Done():
		return "", ctx.Err()
	}
}

// Run serves until ctx ends, then shuts down in order: readiness fails, the load balancer has
// its time, loops stop, handlers drain, closing steps run.
func (s *Server) Run(ctx context.Context) (err error) {
	defer func() { err = errors.Join(err, s.close(ctx)) }()
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", s.cfg.Addr)
	if err != nil {
		return fmt.Errorf("listen: %w", err)
	}
	// Requests outlive ctx: they are drained, not cut.
	httpServer := s.httpServer(context.WithoutCancel(ctx))
	loopCtx, stopLoops := context.WithCancel(context.WithoutCancel(ctx))
	defer stopLoops()
	failed := make(chan error, len(s.loops)+1)
	var running sync.WaitGroup
	for _, l := range s.loops {
		running.Go(func() {
			if err := l.run(loopCtx); err != nil && loopCtx.Err() == nil {
				failed <- fmt.Errorf("%s: %w", l.name, err)
			}
		})
	}
	go func() {
		if err := httpServer.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			failed <- fmt.Errorf("serve: %w", err)
		}
	}()
	s.listening <- listener.Addr().String()
	s.tel.Log.InfoContext(ctx, "listening", "addr", listener.Addr().String())
	select {
	case <-ctx.Done():
		s.drain(ctx)
	case err = <-failed:
	}
	stopLoops()
	stopCtx, cancel := context.WithTimeout(context.WithoutCancel(ctx), shutdownTime)
	defer cancel()
	stopErr := httpServer.Shutdown(stopCtx)
	if stopErr != nil {
		stopErr = errors.Join(stopErr, httpServer.Close())
	}
	return errors.Join(err, stopErr, waitFor(stopCtx, &running))
}

func (s *Server) drain(ctx context.Context) {
	s.draining.Store(true)
	if s.cfg.DrainDelay > 0 {
		s.tel.Log.InfoContext(ctx, "draining", "delay", s.cfg.DrainDelay)
		timer := time.NewTimer(s.cfg.DrainDelay)
		defer timer.Stop()
		<-timer.C
	}
}

func waitFor(ctx context.Context, running *sync.WaitGroup) error {
	done := make(chan struct{})
	go func() { running.Wait(); close(done) }()
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return errors.New("background loops did not stop in time")
	}
}

func (s *Server) close(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), shutdownTime)
	defer cancel()
	var faults []error
	for _, run := range slices.Backward(s.closes) {
		faults = append(faults, run(ctx))
	}
	return errors.Join(faults...)
}

func (s *Server) httpServer(base context.Context) *http.Server {
	s.operations()
	handler := limitBody(s.mux)
	for _, outer := range s.wrap {
		handler = outer(handler)
	}
	var protocols http.Protocols
	protocols.SetHTTP1(true)
	protocols.SetUnencryptedHTTP2(true)
	// Streams end when the shutdown starts, so that draining does not wait for them.
	ctx, cancel := context.WithCancel(base)
	server := &http.Server{
		Handler: handler, Protocols: &protocols,
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

// operations adds the routes that operators and gRPC tools use.
func (s *Server) operations() {
	checker := &readiness{server: s}
	s.mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { _, _ = fmt.Fprintln(w, "ok") })
	s.mux.Handle("GET /readyz", checker)
	if len(s.names) == 0 {
		return // not a service: whoever wants metrics here adds the route
	}
	s.mux.Handle("GET /metrics", s.tel.Handler)
	limit := connect.WithReadMaxBytes(64 << 10)
	s.mux.Handle(grpchealth.NewHandler(checker, limit))
	reflector := grpcreflect.NewStaticReflector(append(slices.Clone(s.names), grpchealth.HealthV1ServiceName)...)
	s.mux.Handle(grpcreflect.NewHandlerV1(reflector, limit))
	s.mux.Handle(grpcreflect.NewHandlerV1Alpha(reflector, limit))
}

type readiness struct{ server *Server }

// failing names the first condition that does not hold.
func (r *readiness) failing(ctx context.Context) string {
	if r.server.draining.Load() {
		return "draining"
	}
	ctx, cancel := context.WithTimeout(ctx, readyTime)
	defer cancel()
	for _, c := range r.server.checks {
		if err := c.run(ctx); err != nil {
			r.server.tel.Log.WarnContext(ctx, "not ready", "check", c.name, "error", err)
			return c.name
		}
	}
	return ""
}

// ServeHTTP answers readiness for load balancers.
func (r *readiness) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	if name := r.failing(req.Context()); name != "" {
		http.Error(w, "not ready: "+name, http.StatusServiceUnavailable)
		return
	}
	_, _ = fmt.Fprintln(w, "ready")
}

// Check answers the standard gRPC health service.
func (r *readiness) Check(ctx context.Context, req *grpchealth.CheckRequest) (*grpchealth.CheckResponse, error) {
	if req.Service != "" && !slices.Contains(r.server.names, req.Service) {
		return nil, connect.NewError(connect.CodeNotFound, errors.New("unknown service"))
	}
	if r.failing(ctx) != "" {
		return &grpchealth.CheckResponse{Status: grpchealth.StatusNotServing}, nil
	}
	return &grpchealth.CheckResponse{Status: grpchealth.StatusServing}, nil
}
