// Package server is a service's HTTP server. Its internal listener speaks HTTP/1.1 and h2c on one
// port, so that Connect, gRPC and gRPC-Web all work, and answers health, readiness, metrics and
// reflection too; a service that browsers reach has a public listener beside it. Both have limits
// on sizes and times, and one ordered shutdown.
package server

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"serein.app/services/platform/deadline"
	"serein.app/services/platform/mtls"
	"serein.app/services/platform/telemetry"
)

// Config of the server.
type Config struct {
	// Addr is where the internal listener listens: RPC, gRPC reflection, /healthz, /readyz and
	// /metrics, for the other services and for operators, never for browsers. Port 0 picks a free one.
	Addr string `env:"INTERNAL_ADDR" envDefault:"127.0.0.1:0"`
	// DrainDelay is how long the server goes on answering after readiness has failed, so that load balancers notice. It is
	// longer than the 5s for which a service keeps a connection that it does not use.
	DrainDelay time.Duration `env:"DRAIN_DELAY" envDefault:"0s"`
}

// shutdownTime bounds an ordered shutdown.
var shutdownTime = deadline.Of(15 * time.Second)

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
	served []served
	certs  *mtls.Certificates
	larger map[string]int64 // bytes of a body, by path

	draining  atomic.Bool
	listening chan string
	stopping  chan struct{}
	stop      func()
}

// served is a listener with its server.
type served struct {
	name, addr string
	server     *http.Server
	serve      func() error
}

// New makes the server of a service.
func New(name string, cfg Config, tel *telemetry.Telemetry) *Server {
	stopping := make(chan struct{})
	return &Server{
		name: name, cfg: cfg, tel: tel, mux: http.NewServeMux(), larger: map[string]int64{}, listening: make(chan string, 1),
		stopping: stopping, stop: sync.OnceFunc(func() { close(stopping) }),
	}
}

// Handle adds a plain route to the internal listener.
func (s *Server) Handle(pattern string, h http.Handler) { s.mux.Handle(pattern, h) }

// AllowLarger lets a body to that path of the internal listener have that many bytes; others have 2 MiB.
func (s *Server) AllowLarger(path string, bytes int64) { s.larger[path] = bytes }

// HandleRPC adds what a generated NewXHandler returns, and its name to health and reflection.
func (s *Server) HandleRPC(path string, h http.Handler) {
	s.names = append(s.names, strings.Trim(path, "/"))
	s.mux.Handle(path, h)
}

// Wrap puts a handler around all internal routes; the last one added is the outermost.
func (s *Server) Wrap(outer func(http.Handler) http.Handler) { s.wrap = append(s.wrap, outer) }

// Secure makes the internal listener speak TLS and ask for certificates.
func (s *Server) Secure(certs *mtls.Certificates) { s.certs = certs }

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

// Addr waits until the server listens and gives its internal address.
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
	listener, err := Listen(ctx, s.cfg.Addr)
	if err != nil {
		return err
	}
	internal, serve := s.internalServer(listener)
	all := append(slices.Clone(s.served), served{"internal", listener.Addr().String(), internal, serve})
	loopCtx, stopLoops := context.WithCancel(context.WithoutCancel(ctx))
	defer stopLoops()
	failed := make(chan error, len(s.loops)+len(all))
	var running sync.WaitGroup
	for _, l := range s.loops {
		running.Go(func() {
			if err := l.run(loopCtx); err != nil && loopCtx.Err() == nil {
				failed <- fmt.Errorf("%s: %w", l.name, err)
			}
		})
	}
	for _, l := range all {
		go func() {
			if err := l.serve(); !errors.Is(err, http.ErrServerClosed) {
				failed <- fmt.Errorf("serve: %w", err)
			}
		}()
		s.tel.Log.InfoContext(ctx, "listening", "listener", l.name, "addr", l.addr)
	}
	s.listening <- listener.Addr().String()
	select {
	case <-ctx.Done():
		s.drain(ctx)
	case err = <-failed:
	}
	stopLoops()
	stopCtx, cancel := context.WithTimeout(context.WithoutCancel(ctx), shutdownTime)
	defer cancel()
	return errors.Join(err, s.shutdown(stopCtx, all), waitFor(stopCtx, &running))
}

// shutdown ends the public listener first, so that the internal one reports to the end that
// this replica drains.
func (s *Server) shutdown(ctx context.Context, all []served) error {
	s.stop()
	var faults []error
	for _, l := range all {
		if err := l.server.Shutdown(ctx); err != nil {
			faults = append(faults, fmt.Errorf("%s: %w", l.name, err), l.server.Close())
		}
	}
	return errors.Join(faults...)
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
	s.stop()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), shutdownTime)
	defer cancel()
	var faults []error
	for _, run := range slices.Backward(s.closes) {
		faults = append(faults, run(ctx))
	}
	return errors.Join(faults...)
}
