// Package server is the one HTTP server of a service: HTTP/1.1 and h2c on one port, so that
// Connect, gRPC and gRPC-Web all work; health, readiness, metrics and reflection; limits on
// sizes and times; and an ordered shutdown.
package server

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"serein.app/services/platform/telemetry"
)

// Config of the server.
type Config struct {
	// Addr to listen on; port 0 picks a free one.
	Addr string `env:"ADDR" envDefault:"127.0.0.1:0"`
	// DrainDelay is how long the server goes on answering after readiness has failed, so that
	// load balancers notice.
	DrainDelay time.Duration `env:"DRAIN_DELAY" envDefault:"0s"`
}

// shutdownTime bounds an ordered shutdown.
const shutdownTime = 15 * time.Second

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
	checks []*check
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
	s.checks = append(s.checks, &check{name: name, run: run})
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
	defer func() { err = errors.Join(err, s.Close(ctx)) }()
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

// Close runs the closing steps. Run does it itself: this is for a server that never ran.
func (s *Server) Close(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), shutdownTime)
	defer cancel()
	var faults []error
	for _, run := range slices.Backward(s.closes) {
		faults = append(faults, run(ctx))
	}
	return errors.Join(faults...)
}
