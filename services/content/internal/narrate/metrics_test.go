package narrate_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel/attribute"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"

	"serein.app/services/content/internal/narrate"
)

// A narration that has failed for good writes no further log lines: operators see it in this metric.
func TestMetricCountsMissingNarrationsByState(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.narrator.start = narrate.RefusalError{Because: errors.New("there is no such narrator")}
	h.meditation("a", "Rest here.")
	h.publish("article", "b", map[string]any{"title": "On rain", "body": "It falls.", "open": true})
	_, stop := h.service(true)
	h.reaches(narrate.Failed, "a", "b")
	stop()
	h.exec("UPDATE narrations SET state = 'waiting' WHERE id = 'b'")
	reader := sdkmetric.NewManualReader()
	require.NoError(t, narrate.Watch(sdkmetric.NewMeterProvider(sdkmetric.WithReader(reader)).Meter("serein/content"), h.CountNarrations))
	var scraped metricdata.ResourceMetrics
	require.NoError(t, reader.Collect(t.Context(), &scraped))
	gauge, ok := scraped.ScopeMetrics[0].Metrics[0].Data.(metricdata.Gauge[int64])
	require.True(t, ok)
	counted := map[string]int64{}
	for _, p := range gauge.DataPoints {
		state, _ := p.Attributes.Value(attribute.Key("state"))
		counted[state.AsString()] = p.Value
	}
	require.Equal(t, map[string]int64{"waiting": 1, "narrating": 0, "failed": 1}, counted)
}
