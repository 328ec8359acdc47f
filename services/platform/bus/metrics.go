package bus

import (
	"context"
	"errors"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"
	"go.opentelemetry.io/otel/metric/noop"
)

// metrics of a service's streams and consumers; README.md explains them. A consumer's name the
// attribute "consumer".
type metrics struct {
	handled, repeated, deadLettered, gap, shed metric.Int64Counter
	pending                                    metric.Int64Gauge
	fill                                       metric.Float64Gauge
}

// WithMetrics counts what the connection does.
func WithMetrics(meters metric.MeterProvider) Option { return func(b *Bus) { b.meters = meters } }

func newMetrics(meters metric.MeterProvider) (m metrics, err error) {
	if meters == nil {
		meters = noop.NewMeterProvider()
	}
	meter := meters.Meter("serein/bus")
	var faults []error
	counter := func(name, unit, description string) metric.Int64Counter {
		c, err := meter.Int64Counter("serein.bus."+name, metric.WithUnit(unit), metric.WithDescription(description))
		faults = append(faults, err)
		return c
	}
	m.handled = counter("handled", "{event}", "Events that a consumer has handled")
	m.repeated = counter("repeated", "{attempt}", "Attempts to handle an event that failed, and deliveries that were not the first; a few "+
		"at every restart")
	m.deadLettered = counter("dead_lettered", "{event}", "Events that a consumer gave up after twelve attempts; each needs somebody "+
		"(bus/README.md)")
	m.gap = counter("gap", "{event}", "Events that left the service's stream before a consumer was through with them, as the publisher saw "+
		"it; at most so many of them were that consumer's. The publisher sends them again once the consumer has handled the "+
		"rest")
	m.shed = counter("shed", "{event}", "Events that a full stream gave up before their age")
	var err1, err2 error
	m.pending, err1 = meter.Int64Gauge("serein.bus.pending", metric.WithUnit("{event}"), metric.WithDescription("Events that wait for a consumer (attribute `consumer`) or "+
		"are in its hands, as the replica that leads saw it last"))
	m.fill, err2 = meter.Float64Gauge("serein.bus.stream_fill", metric.WithUnit("1"), metric.WithDescription("How full the service's own stream is, 0 to 1; at 0.9 the log "+
		"says so, once. Full, the stream sheds its oldest events"))
	return m, errors.Join(append(faults, err1, err2)...)
}

func (m metrics) add(ctx context.Context, counter metric.Int64Counter, consumer string, n int) {
	if n > 0 {
		counter.Add(ctx, int64(n), metric.WithAttributes(attribute.String("consumer", consumer)))
	}
}

func (m metrics) waiting(ctx context.Context, consumer string, n int64) {
	m.pending.Record(ctx, n, metric.WithAttributes(attribute.String("consumer", consumer)))
}
