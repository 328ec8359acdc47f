package testkit

import (
	"testing"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
)

// Metric sums up all points of one metric as it is scraped now, whatever their attributes: values, and how many a
// histogram has seen. What nothing was recorded of is zero.
func Metric(tb testing.TB, reader metric.Reader, name string) (sum float64) {
	tb.Helper()
	var scraped metricdata.ResourceMetrics
	require.NoError(tb, reader.Collect(tb.Context(), &scraped))
	for _, scope := range scraped.ScopeMetrics {
		for _, m := range scope.Metrics {
			if m.Name == name {
				require.NotEmpty(tb, m.Unit)
				require.NotEmpty(tb, m.Description)
				sum += total(tb, m.Data)
			}
		}
	}
	return sum
}

func total(tb testing.TB, data metricdata.Aggregation) float64 {
	tb.Helper()
	switch data := data.(type) {
	case metricdata.Sum[int64]:
		return values(data.DataPoints)
	case metricdata.Sum[float64]:
		return values(data.DataPoints)
	case metricdata.Gauge[int64]:
		return values(data.DataPoints)
	case metricdata.Gauge[float64]:
		return values(data.DataPoints)
	case metricdata.Histogram[float64]:
		return float64(count(data.DataPoints))
	}
	require.Failf(tb, "no such metric is read", "%T", data)
	return 0
}

func values[N int64 | float64](points []metricdata.DataPoint[N]) (sum float64) {
	for _, p := range points {
		sum += float64(p.Value)
	}
	return sum
}

func count(points []metricdata.HistogramDataPoint[float64]) (count uint64) {
	for _, p := range points {
		count += p.Count
	}
	return count
}
