// Package rpc is how services talk: the interceptors around every handler (recover, trace,
// deadline, access, validation, errors), the client that signs its calls, and the one table
// that maps error kinds to codes.
//
// It refuses by default: a procedure without a rule in the service's policy cannot be called.
package rpc

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"connectrpc.com/connect"
	"connectrpc.com/otelconnect"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/trace"
	"google.golang.org/protobuf/reflect/protoreflect"

	errorsv1 "serein.app/proto/gen/serein/errors/v1"
	"serein.app/services/platform/auth"
	"serein.app/services/platform/deadline"
	"serein.app/services/platform/errs"
	"serein.app/services/platform/mtls"
	"serein.app/services/platform/seclog"
	"serein.app/services/platform/telemetry"
)

// Limits of every call.
const (
	// MaxMessage is the largest request, in bytes after decompression. Requests are forms,
	// so 1 MiB is generous and still harmless.
	MaxMessage = 1 << 20
	// compressFrom is the smallest answer worth compressing, in bytes: below it gzip costs
	// more time than it saves.
	compressFrom = 4 << 10
)

// MaxTime is the longest a unary call may take when the caller sets no deadline.
var MaxTime = deadline.Of(30 * time.Second)

// ErrInvalid is the answer to a request that breaks its contract's rules.
var ErrInvalid = errs.New(errs.Invalid, errorsv1.Reason_REASON_INVALID_ARGUMENT, "Something in that request isn’t right.")

// Server holds what a service's handlers share.
type Server struct {
	verifier *auth.Verifier
	policy   auth.Policy
	tel      *telemetry.Telemetry
	security *seclog.Log
	options  []connect.HandlerOption
	larger   Larger
}

// NewServer makes the handler options of one service.
func NewServer(verifier *auth.Verifier, policy auth.Policy, tel *telemetry.Telemetry) (*Server, error) {
	tracing, err := otelconnect.NewInterceptor(
		otelconnect.WithTracerProvider(tel.Tracing), otelconnect.WithMeterProvider(tel.Metrics),
		otelconnect.WithPropagator(telemetry.Propagator), otelconnect.WithTrustRemote(),
	)
	if err != nil {
		return nil, fmt.Errorf("trace interceptor: %w", err)
	}
	security, err := seclog.New(tel, "", time.Now) // its events name nobody by hash
	if err != nil {
		return nil, err
	}
	s := &Server{verifier: verifier, policy: policy, tel: tel, security: security, larger: Larger{}}
	s.options = []connect.HandlerOption{
		connect.WithReadMaxBytes(MaxMessage),
		connect.WithConditionalHandlerOptions(s.larger.options),
		connect.WithCompressMinBytes(compressFrom),
		connect.WithInterceptors(tracing, &guard{server: s}),
		connect.WithRecover(Recover(tel.Log)),
	}
	return s, nil
}

// AllowLarger lets requests of a procedure have that many bytes instead of MaxMessage. It is called before the
// procedure's handler is made.
func (s *Server) AllowLarger(procedure string, bytes int) { s.larger[procedure] = bytes }

// Larger are the procedures whose requests may have more than MaxMessage bytes, for WellFormed.
func (s *Server) Larger() Larger { return s.larger }

// Options for every NewXServiceHandler of the service.
func (s *Server) Options() []connect.HandlerOption { return s.options }

// HTTP guards a plain HTTP route with the same proof of caller. Refusals are bare statuses:
// only the gateway calls such routes, and only it speaks to people.
func (s *Server) HTTP(rule auth.Rule, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		caller, err := s.prove(r.Context(), r.Header)
		if err == nil {
			err = rule.Check(caller)
		}
		if err != nil {
			s.refused(r.Context(), r.URL.Path, caller, err)
			logFailure(r.Context(), s.tel.Log, r.URL.Path, err)
			w.WriteHeader(statusOf(err))
			return
		}
		s.record(r.Context(), r.URL.Path, caller.Subject)
		next.ServeHTTP(w, r.WithContext(auth.WithCaller(r.Context(), caller)))
	})
}

// prove finds out who calls. What a service has signed comes over a connection of that service, or not
// at all: a proof that somebody else got hold of is of no use to them.
func (s *Server) prove(ctx context.Context, header http.Header) (auth.Caller, error) {
	caller, err := s.verifier.Verify(ctx, header.Get("Authorization"))
	if err == nil && !caller.IsAccount() && !mtls.Belongs(ctx, caller.Service) {
		return caller, auth.ErrUnauthenticated.Because(fmt.Errorf("a call of %s came with another's certificate", caller.Service))
	}
	return caller, err
}

func statusOf(err error) int {
	switch errs.KindOf(err) { //nolint:exhaustive // a proof of caller fails in these ways only
	case errs.Unauthenticated:
		return http.StatusUnauthorized
	case errs.Forbidden:
		return http.StatusForbidden
	case errs.Unavailable:
		return http.StatusServiceUnavailable
	}
	return http.StatusInternalServerError
}

// Missing lists the procedures of the services that the policy does not name; a test of
// every service demands that there are none.
func Missing(policy auth.Policy, services ...protoreflect.ServiceDescriptor) []string {
	var missing []string
	for _, service := range services {
		for i := range service.Methods().Len() {
			procedure := fmt.Sprintf("/%s/%s", service.FullName(), service.Methods().Get(i).Name())
			if _, ok := policy[procedure]; !ok {
				missing = append(missing, procedure)
			}
		}
	}
	return missing
}

// guard is access, deadline, validation and error mapping in one interceptor, since their
// order is fixed.
type guard struct{ server *Server }

func (g *guard) admit(ctx context.Context, procedure string, header http.Header) (context.Context, error) {
	caller, err := g.server.prove(ctx, header)
	if err == nil {
		err = g.server.policy.Check(procedure, caller)
	}
	if err != nil {
		g.server.refused(ctx, procedure, caller, err)
		return ctx, err
	}
	if g.server.policy[procedure].Admin {
		g.server.security.Record(ctx, seclog.Event{
			Kind: seclog.Admin, Outcome: seclog.Success, UID: caller.Subject.UID, Procedure: procedure, Caller: caller.Service,
		})
	}
	g.server.record(ctx, procedure, caller.Subject)
	return auth.WithCaller(ctx, caller), nil
}

// refused writes down who was kept out. A caller that could not be proved has no name.
func (s *Server) refused(ctx context.Context, procedure string, caller auth.Caller, err error) {
	s.security.Refused(ctx, err, seclog.Event{UID: caller.Subject.UID, Procedure: procedure, Caller: caller.Service})
}

// record writes down, in log and trace, who has read in a member's stead.
func (s *Server) record(ctx context.Context, procedure string, on auth.Subject) {
	if on.Actor == "" {
		return
	}
	trace.SpanFromContext(ctx).SetAttributes(attribute.String("serein.actor", on.Actor), attribute.String("serein.subject", on.UID))
	s.tel.Log.InfoContext(ctx, "read in a member's stead", "procedure", procedure, "actor", on.Actor, "subject", on.UID)
}

func (g *guard) fail(ctx context.Context, procedure string, err error) error {
	// "Not modified" is an answer, not a failure: connect makes a 304 of it.
	if err == nil || connect.IsNotModifiedError(err) {
		return err
	}
	logFailure(ctx, g.server.tel.Log, procedure, err)
	return ToConnect(err)
}

// WrapUnary guards unary handlers.
func (g *guard) WrapUnary(next connect.UnaryFunc) connect.UnaryFunc {
	return func(ctx context.Context, req connect.AnyRequest) (connect.AnyResponse, error) {
		procedure := req.Spec().Procedure
		ctx, cancel := withLimit(ctx)
		defer cancel()
		ctx, err := g.admit(ctx, procedure, req.Header())
		if err == nil {
			err = Validate(req.Any())
		}
		if err != nil {
			return nil, g.fail(ctx, procedure, err)
		}
		res, err := next(ctx, req)
		if err != nil {
			return nil, g.fail(ctx, procedure, err)
		}
		return res, nil
	}
}

// WrapStreamingHandler guards streams; they may last, so they get no deadline.
func (g *guard) WrapStreamingHandler(next connect.StreamingHandlerFunc) connect.StreamingHandlerFunc {
	return func(ctx context.Context, conn connect.StreamingHandlerConn) error {
		procedure := conn.Spec().Procedure
		ctx, err := g.admit(ctx, procedure, conn.RequestHeader())
		if err == nil {
			err = next(ctx, Validating(conn))
		}
		return g.fail(ctx, procedure, err)
	}
}

// WrapStreamingClient is not used on servers.
func (g *guard) WrapStreamingClient(next connect.StreamingClientFunc) connect.StreamingClientFunc {
	return next
}

func withLimit(ctx context.Context) (context.Context, context.CancelFunc) {
	if _, ok := ctx.Deadline(); ok {
		return ctx, func() {}
	}
	return context.WithTimeout(ctx, MaxTime)
}
