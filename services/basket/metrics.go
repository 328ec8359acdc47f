package basket

import (
	"context"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"

	"serein.app/services/platform/errs"
)

// counters of what does not go as it should.
type counters struct {
	refusals, unread metric.Int64Counter
}

func newCounters(meter metric.Meter) (c counters, err error) {
	if c.refusals, err = meter.Int64Counter("serein.basket.refused", metric.WithUnit("{change}"),
		metric.WithDescription("Changes that were refused or failed, by `reason`: some `VERSION_MISMATCH` are people with two tabs, many "+
			"are a screen that shows old baskets; `INTERNAL` needs somebody")); err != nil {
		return c, err
	}
	c.unread, err = meter.Int64Counter("serein.basket.catalogue.failures", metric.WithUnit("{question}"),
		metric.WithDescription("Questions for what is sold that content did not answer; prices and what is sold out stay as they were meanwhile"))
	return c, err
}

func (c counters) refused(ctx context.Context, err error) {
	c.refusals.Add(ctx, 1, metric.WithAttributes(attribute.String("reason", errs.From(err).Word())))
}

func (c counters) catalogueFailed(ctx context.Context) { c.unread.Add(ctx, 1) }
