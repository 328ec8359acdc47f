package retention

import (
	"context"
	"errors"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"
)

// metrics name the policy by the attribute "policy".
type metrics struct {
	rows     metric.Int64Counter
	failures metric.Int64Counter
	overdue  metric.Float64Gauge
}

func newMetrics(service string, meters metric.MeterProvider) (*metrics, error) {
	meter, prefix := meters.Meter("serein/retention"), "serein."+service+".retention."
	rows, rowsErr := meter.Int64Counter(prefix+"removed", metric.WithUnit("{row}"), metric.WithDescription("Rows that a policy (attribute `policy`) has removed"))
	failures, failErr := meter.Int64Counter(prefix+"failures", metric.WithUnit("{turn}"), metric.WithDescription("Turns of a policy that failed; more than a few in a row need somebody"))
	overdue, ageErr := meter.Float64Gauge(prefix+"overdue", metric.WithUnit("s"),
		metric.WithDescription("Seconds that the oldest row is past its time, measured every minute by every replica; up to 600 is usual, "+
			"3,600 is a policy that does not work or does not keep up"))
	return &metrics{rows, failures, overdue}, errors.Join(rowsErr, failErr, ageErr)
}

func of(p Policy) metric.MeasurementOption {
	return metric.WithAttributes(attribute.String("policy", p.Name))
}

func (m *metrics) removed(ctx context.Context, p Policy, n int) { m.rows.Add(ctx, int64(n), of(p)) }

func (m *metrics) failed(ctx context.Context, p Policy) { m.failures.Add(ctx, 1, of(p)) }

// measure says of each policy how overdue its oldest row is.
func (r *Retention) measure(ctx context.Context) error {
	var faults []error
	for _, p := range r.policies {
		before := r.now().Add(-p.Keep)
		bounded, cancel := context.WithTimeout(ctx, statementTime)
		oldest, err := p.Oldest(bounded, r.db, before)
		cancel()
		if err != nil {
			faults = append(faults, err)
			continue
		}
		late := 0.0
		if !oldest.IsZero() {
			late = before.Sub(oldest).Seconds()
		}
		r.metrics.overdue.Record(ctx, late, of(p))
	}
	return errors.Join(faults...)
}
