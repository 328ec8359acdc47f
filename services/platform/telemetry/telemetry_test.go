package telemetry_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"
	"go.opentelemetry.io/otel/propagation"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"

	"serein.app/services/platform/telemetry"
)

func setup(t *testing.T, service string) (*telemetry.Telemetry, *bytes.Buffer) {
	t.Helper()
	var out bytes.Buffer
	tel, err := telemetry.SetupTo(t.Context(), service, &out)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, tel.Shutdown(context.Background())) })
	return tel, &out
}

func lines(t *testing.T, out *bytes.Buffer) (records []map[string]any) {
	t.Helper()
	for line := range bytes.Lines(out.Bytes()) {
		var record map[string]any
		require.NoError(t, json.Unmarshal(line, &record))
		records = append(records, record)
	}
	return records
}

func TestEveryLineNamesItsServiceAndTheTraceItBelongsTo(t *testing.T) {
	t.Parallel()
	tel, out := setup(t, "mail")
	tracing := sdktrace.NewTracerProvider()
	ctx, span := tracing.Tracer("test").Start(t.Context(), "call")
	defer span.End()
	tel.Log.InfoContext(ctx, "inside a call", "mail_id", 7)
	tel.Log.With("component", "relay").WithGroup("detail").InfoContext(ctx, "derived", "n", 1)
	tel.Log.Info("outside")
	got := lines(t, out)
	require.Len(t, got, 3)
	for _, record := range got {
		require.Equal(t, "mail", record["service"])
	}
	require.Equal(t, span.SpanContext().TraceID().String(), got[0]["trace_id"])
	require.Equal(t, span.SpanContext().SpanID().String(), got[0]["span_id"])
	require.EqualValues(t, 7, got[0]["mail_id"])
	require.Equal(t, "relay", got[1]["component"])
	require.Contains(t, got[1]["detail"], "trace_id", "loggers that are derived keep it")
	require.NotContains(t, got[2], "trace_id")
}

func TestDebugIsSaidOnlyWhereItIsAskedFor(t *testing.T) { //nolint:paralleltest // it sets the environment
	for level, want := range map[string]int{"": 0, "INFO": 0, "debug": 1} {
		t.Setenv("LOG_LEVEL", level)
		tel, out := setup(t, "mail")
		tel.Log.Debug("detail")
		require.Len(t, lines(t, out), want, level)
	}
}

func TestALogLevelThatIsNoneEndsTheStart(t *testing.T) {
	t.Setenv("LOG_LEVEL", "nonsense")
	_, err := telemetry.SetupTo(t.Context(), "mail", io.Discard)
	require.EqualError(t, err, "LOG_LEVEL: want debug, info, warn or error")
}

func scrape(t *testing.T, tel *telemetry.Telemetry) string {
	t.Helper()
	answer := httptest.NewRecorder()
	tel.Handler.ServeHTTP(answer, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	require.Equal(t, http.StatusOK, answer.Code)
	return answer.Body.String()
}

// Seven services run in one process on a developer's machine: none may count for another.
func TestServicesInOneProcessCountForThemselves(t *testing.T) {
	t.Parallel()
	mail, _ := setup(t, "mail")
	billing, _ := setup(t, "billing")
	counter, err := mail.Metrics.Meter("test").Int64Counter("letters.sent")
	require.NoError(t, err)
	counter.Add(t.Context(), 3, metric.WithAttributes(attribute.String("template", "welcome")))
	require.Regexp(t, `(?m)^letters_sent_total\{.*template="welcome".*\} 3$`, scrape(t, mail))
	require.NotContains(t, scrape(t, billing), "letters_sent")
	require.Contains(t, scrape(t, billing), "go_goroutines")
}

func TestTheTraceOfACallGoesOnElsewhere(t *testing.T) {
	t.Parallel()
	const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
	ctx := telemetry.Propagator.Extract(t.Context(), propagation.MapCarrier{"traceparent": traceparent})
	carried := propagation.MapCarrier{}
	telemetry.Propagator.Inject(ctx, carried)
	require.Equal(t, traceparent, carried["traceparent"])
}

func TestTracesGoNowhereUnlessToldWhereTo(t *testing.T) {
	t.Parallel()
	tel, _ := setup(t, "mail")
	_, span := tel.Tracing.Tracer("test").Start(t.Context(), "call")
	require.False(t, span.IsRecording())
}

func TestAnExporterThatDoesNotExistStopsTheStart(t *testing.T) {
	t.Setenv("OTEL_TRACES_EXPORTER", "carrier-pigeon")
	_, err := telemetry.SetupTo(t.Context(), "mail", &bytes.Buffer{})
	require.EqualError(t, err, `trace exporter: OTEL_TRACES_EXPORTER: want otlp, console or none, not "carrier-pigeon"`)
	t.Setenv("OTEL_TRACES_EXPORTER", "otlp")
	t.Setenv("OTEL_EXPORTER_OTLP_PROTOCOL", "http/json")
	_, err = telemetry.SetupTo(t.Context(), "mail", &bytes.Buffer{})
	require.EqualError(t, err, `trace exporter: OTEL_EXPORTER_OTLP_PROTOCOL: want grpc or http/protobuf, not "http/json"`)
}

func TestTracesAreRecordedForAnExporter(t *testing.T) { //nolint:paralleltest // it sets the environment
	for _, of := range []struct{ exporter, protocol string }{{"console", ""}, {"otlp", ""}, {"otlp", "http/protobuf"}, {"otlp", "grpc"}} {
		t.Setenv("OTEL_TRACES_EXPORTER", of.exporter)
		t.Setenv("OTEL_EXPORTER_OTLP_PROTOCOL", of.protocol)
		tel, _ := setup(t, "mail")
		_, span := tel.Tracing.Tracer("test").Start(t.Context(), "call")
		require.True(t, span.IsRecording(), of)
		require.True(t, tel.Log.Enabled(t.Context(), slog.LevelInfo))
	}
}
