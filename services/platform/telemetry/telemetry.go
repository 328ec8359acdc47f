// Package telemetry makes a service's logger, traces and metrics. Nothing here is global:
// seven services run in one process on a developer's machine.
//
// Traces go where the standard variables say (OTEL_TRACES_EXPORTER, OTEL_EXPORTER_OTLP_…);
// unset means nowhere. Metrics are scraped from Handler in Prometheus' format.
package telemetry

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracegrpc"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	otelprom "go.opentelemetry.io/otel/exporters/prometheus"
	"go.opentelemetry.io/otel/exporters/stdout/stdouttrace"
	"go.opentelemetry.io/otel/metric"
	"go.opentelemetry.io/otel/propagation"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/resource"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	semconv "go.opentelemetry.io/otel/semconv/v1.37.0"
	"go.opentelemetry.io/otel/trace"
	tracenoop "go.opentelemetry.io/otel/trace/noop"
)

// Propagator carries the trace context over HTTP and NATS headers.
var Propagator = propagation.TraceContext{}

// Telemetry is what a service reports through.
type Telemetry struct {
	// Log writes JSON lines to standard error with the service's name and trace ids. No value of a
	// line is longer than a kilobyte.
	Log     *slog.Logger
	Tracing trace.TracerProvider
	Metrics metric.MeterProvider
	// Handler answers Prometheus' scrape.
	Handler http.Handler

	closers []func(context.Context) error
}

// Setup makes the telemetry of one service.
func Setup(ctx context.Context, service string) (*Telemetry, error) {
	return SetupTo(ctx, service, os.Stderr)
}

// SetupTo is Setup with the log written to w.
func SetupTo(ctx context.Context, service string, w io.Writer) (*Telemetry, error) {
	level := slog.LevelInfo
	if err := level.UnmarshalText([]byte(cmp.Or(os.Getenv("LOG_LEVEL"), "info"))); err != nil {
		return nil, errors.New("LOG_LEVEL: want debug, info, warn or error")
	}
	t := &Telemetry{
		Log:     slog.New(traceHandler{slog.NewJSONHandler(w, &slog.HandlerOptions{Level: level, ReplaceAttr: bounded})}).With("service", service),
		Tracing: tracenoop.NewTracerProvider(),
	}
	res := resource.NewSchemaless(semconv.ServiceName("serein-" + service))
	if err := t.metrics(res); err != nil {
		return nil, err
	}
	if err := t.tracing(ctx, res); err != nil {
		return nil, err
	}
	return t, nil
}

func (t *Telemetry) metrics(res *resource.Resource) error {
	registry := prometheus.NewRegistry()
	registry.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	exporter, err := otelprom.New(otelprom.WithRegisterer(registry))
	if err != nil {
		return fmt.Errorf("prometheus exporter: %w", err)
	}
	provider := sdkmetric.NewMeterProvider(sdkmetric.WithReader(exporter), sdkmetric.WithResource(res))
	t.Metrics = provider
	t.Handler = promhttp.HandlerFor(registry, promhttp.HandlerOpts{})
	t.closers = append(t.closers, provider.Shutdown)
	return nil
}

func (t *Telemetry) tracing(ctx context.Context, res *resource.Resource) error {
	name := os.Getenv("OTEL_TRACES_EXPORTER")
	if name == "" || name == "none" {
		return nil
	}
	exporter, err := spanExporter(ctx, name)
	if err != nil {
		return fmt.Errorf("trace exporter: %w", err)
	}
	provider := sdktrace.NewTracerProvider(sdktrace.WithBatcher(exporter), sdktrace.WithResource(res))
	t.Tracing = provider
	t.closers = append(t.closers, provider.Shutdown)
	return nil
}

// spanExporter is the one of that name: otlp or console. OTLP goes by the protocol that the standard variables name, else over HTTP.
// Package autoexport does the same, and brings the exporters of logs and metrics, which nothing uses.
func spanExporter(ctx context.Context, name string) (sdktrace.SpanExporter, error) {
	switch name {
	case "console":
		return stdouttrace.New()
	case "otlp":
		switch protocol := cmp.Or(os.Getenv("OTEL_EXPORTER_OTLP_TRACES_PROTOCOL"), os.Getenv("OTEL_EXPORTER_OTLP_PROTOCOL")); protocol {
		case "grpc":
			return otlptracegrpc.New(ctx)
		case "", "http/protobuf":
			return otlptracehttp.New(ctx)
		default:
			return nil, fmt.Errorf("OTEL_EXPORTER_OTLP_PROTOCOL: want grpc or http/protobuf, not %q", protocol)
		}
	}
	return nil, fmt.Errorf("OTEL_TRACES_EXPORTER: want otlp, console or none, not %q", name)
}

// Shutdown flushes what is still held.
func (t *Telemetry) Shutdown(ctx context.Context) error {
	var faults []error
	for _, shut := range t.closers {
		faults = append(faults, shut(ctx))
	}
	return errors.Join(faults...)
}

// traceHandler adds the trace id of the call to each record.
type traceHandler struct{ slog.Handler }

func (h traceHandler) Handle(ctx context.Context, r slog.Record) error {
	if sc := trace.SpanContextFromContext(ctx); sc.HasTraceID() {
		r.AddAttrs(slog.String("trace_id", sc.TraceID().String()), slog.String("span_id", sc.SpanID().String()))
	}
	return h.Handler.Handle(ctx, r)
}

func (h traceHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return traceHandler{h.Handler.WithAttrs(attrs)}
}

func (h traceHandler) WithGroup(name string) slog.Handler {
	return traceHandler{h.Handler.WithGroup(name)}
}
