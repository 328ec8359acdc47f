package server

import (
	"fmt"
	"net/http"
	"slices"

	"connectrpc.com/connect"
	"connectrpc.com/grpchealth"
	"connectrpc.com/grpcreflect"
)

// operations adds the routes that operators and gRPC tools use.
func (s *Server) operations() {
	checker := &readiness{server: s}
	s.mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { _, _ = fmt.Fprintln(w, "ok") })
	s.mux.Handle("GET /readyz", checker)
	s.mux.Handle("GET /metrics", s.tel.Handler)
	limit := connect.WithReadMaxBytes(64 << 10)
	s.mux.Handle(grpchealth.NewHandler(checker, limit))
	reflector := grpcreflect.NewStaticReflector(append(slices.Clone(s.names), grpchealth.HealthV1ServiceName)...)
	s.mux.Handle(grpcreflect.NewHandlerV1(reflector, limit))
	s.mux.Handle(grpcreflect.NewHandlerV1Alpha(reflector, limit))
}
