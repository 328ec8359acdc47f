package outbox

import (
	"context"
	"errors"
	"time"

	"go.opentelemetry.io/otel/metric"
)

const (
	// watchEvery is how often the outbox is measured, countMost how many waiting events are counted.
	watchEvery = 10 * time.Second
	countMost  = 10_000
	// statementTime bounds one measurement.
	statementTime = 5 * time.Second
)

// metrics of an outbox; ../README.md explains them. Its zero value measures nothing.
type metrics struct {
	unpublished metric.Int64Gauge
	age         metric.Float64Gauge
}

func newMetrics(meters metric.MeterProvider) (m metrics, err error) {
	meter := meters.Meter("serein/outbox")
	var errCount, errAge error
	m.unpublished, errCount = meter.Int64Gauge("serein.outbox.unpublished", metric.WithUnit("{event}"),
		metric.WithDescription("Events that wait for the broker, counted up to 10,000, every 10 s"))
	m.age, errAge = meter.Float64Gauge("serein.outbox.oldest_age", metric.WithUnit("s"),
		metric.WithDescription("Seconds that the oldest event has waited for the broker; above 60 the broker is away or refuses, and no "+
			"consumer gets anything"))
	return m, errors.Join(errCount, errAge)
}

// watch measures until ctx ends.
func (o *Outbox) watch(ctx context.Context) {
	for ctx.Err() == nil {
		if err := o.measure(ctx); err != nil && ctx.Err() == nil {
			o.log.DebugContext(ctx, "outbox is not measured", "error", err) // the relay says what is wrong
		}
		sleep(ctx, nil, watchEvery)
	}
}

func (o *Outbox) measure(ctx context.Context) error {
	if o.metrics.unpublished == nil {
		return nil
	}
	bounded, cancel := context.WithTimeout(ctx, statementTime)
	defer cancel()
	var waiting int64
	var age float64
	err := o.db.QueryRow(bounded, `SELECT count(*), COALESCE(EXTRACT(EPOCH FROM now() - min(created_at)), 0)::float8 FROM
		(SELECT created_at FROM outbox WHERE published_at IS NULL ORDER BY seq LIMIT $1) waiting`, countMost).Scan(&waiting, &age)
	if err != nil {
		return err
	}
	o.metrics.unpublished.Record(ctx, waiting)
	o.metrics.age.Record(ctx, age)
	if !o.bus.Connected() {
		return nil
	}
	return o.bus.WatchStream(ctx)
}
