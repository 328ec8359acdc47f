package view

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"

	eventsv1 "serein.app/proto/gen/serein/events/v1"
)

// The metrics of a view: how often it answered, asked and dropped, how old its answers were, and how far behind it is.
func TestMetricsShowWhatTheViewSaves(t *testing.T) {
	t.Parallel()
	reader := sdkmetric.NewManualReader()
	meter := sdkmetric.NewMeterProvider(sdkmetric.WithReader(reader)).Meter("view")
	at := time.Now()
	now := func() time.Time { return at }
	source := NewSource("billing", now)
	uid := uuid.NewString()
	part, err := NewPart("accounts", source, func(context.Context, string) (int, time.Time, error) { return 1, time.Time{}, nil }, meter, now)
	require.NoError(t, err)
	require.NoError(t, observe([]*Source{source}, meter))
	source.Upto(at, false)
	ask := func() {
		_, err := part.Get(t.Context(), uid)
		require.NoError(t, err)
	}

	ask()
	at = at.Add(time.Second)
	ask()
	part.Drop(uid)
	ask()
	source.OnEvent(&eventsv1.Envelope{Uid: uid})
	ask()

	var scraped metricdata.ResourceMetrics
	require.NoError(t, reader.Collect(t.Context(), &scraped))
	said := map[string]float64{}
	for _, m := range scraped.ScopeMetrics[0].Metrics {
		require.NotEmpty(t, m.Description, m.Name)
		switch data := m.Data.(type) {
		case metricdata.Sum[int64]:
			for _, p := range data.DataPoints {
				cause, _ := p.Attributes.Value("cause")
				said[m.Name+" "+cause.AsString()] = float64(p.Value)
			}
		case metricdata.Histogram[float64]:
			said[m.Name+" seconds"], said[m.Name+" count"] = data.DataPoints[0].Sum, float64(data.DataPoints[0].Count)
		case metricdata.Gauge[float64]:
			said[m.Name+" seconds"] = data.DataPoints[0].Value
		}
	}
	require.Equal(t, map[string]float64{
		"serein.gateway.view.misses ": 3, "serein.gateway.view.age seconds": 1, "serein.gateway.view.age count": 1,
		"serein.gateway.view.drops own_act": 1, "serein.gateway.view.drops event": 1, "serein.gateway.view.behind seconds": 1,
	}, said)
}
