package server

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"sync/atomic"
	"time"

	"connectrpc.com/connect"
	"connectrpc.com/grpchealth"
)

// readyTime bounds one readiness check.
const readyTime = 2 * time.Second

// check is one condition of readiness.
type check struct {
	name   string
	run    func(context.Context) error
	failed atomic.Bool
}

// note logs a change. Readiness is asked many times a second, and the answer seldom changes.
func (c *check) note(ctx context.Context, log *slog.Logger, err error) {
	if c.failed.Swap(err != nil) == (err != nil) {
		return
	}
	if err == nil {
		log.InfoContext(ctx, "ready again", "check", c.name)
		return
	}
	log.WarnContext(ctx, "not ready", "check", c.name, "error", err)
}

type readiness struct{ server *Server }

// failing names the first condition that does not hold. A check that fails because its asker
// has gone says nothing about the condition.
func (r *readiness) failing(ctx context.Context) string {
	if r.server.draining.Load() {
		return "draining"
	}
	bounded, cancel := context.WithTimeout(ctx, readyTime)
	defer cancel()
	for _, c := range r.server.checks {
		err := c.run(bounded)
		if ctx.Err() == nil {
			c.note(ctx, r.server.tel.Log, err)
		}
		if err != nil {
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
