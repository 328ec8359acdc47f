// Package metrics counts what of selling needs somebody: see the README.
package metrics

import (
	"context"
	"errors"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"

	"serein.app/services/billing/internal/sales"
	"serein.app/services/billing/internal/subscriptions"
)

// Sales are the counters.
type Sales struct {
	webhooks, lost, unknown, mismatched, mended, strange, cancelled, catalogue, provider metric.Int64Counter
}

var (
	_ sales.Metrics         = (*Sales)(nil)
	_ subscriptions.Metrics = (*Sales)(nil)
)

// New makes them.
func New(meter metric.Meter) (*Sales, error) {
	var faults []error
	counter := func(name, unit, description string) metric.Int64Counter {
		c, err := meter.Int64Counter("serein.billing."+name, metric.WithUnit(unit), metric.WithDescription(description))
		faults = append(faults, err)
		return c
	}
	s := &Sales{
		webhooks: counter("webhooks.refused", "{event}", "Webhooks that were not acted upon, by `reason`: `signature` (forged, too old, "+
			"or a secret that is not configured; with `LOG_LEVEL=debug` the log says which), `version` (signed, and of another "+
			"release of the API), `account`, `live`"),
		lost: counter("webhooks.lost", "{event}", "Lost webhooks whose change billing found later, by what was `found`: an `event` of "+
			"the provider's hourly list, or a paid `order` that only reading back completed. The log has an error with the id of "+
			"each. An event that is listed within a minute is not counted, since its webhook may still arrive. More than a few a "+
			"day mean that webhooks do not arrive"),
		unknown: counter("webhooks.unknown", "{event}", "Checkouts, subscriptions and payments that the provider sent events of and that "+
			"billing did not start"),
		mismatched: counter("orders.mismatched", "{order}", "Times that an order was not completed, or a refund not noted, because the "+
			"payment differs from the order; an operator has to look at each, and the log has the order and the difference"),
		mended: counter("subscriptions.mended", "{subscription}", "Memberships that differed at the provider while no webhook was due: "+
			"more than a few a day mean that its webhooks do not arrive"),
		strange: counter("subscriptions.unknown", "{subscription}", "Times that the hourly comparison found the provider charging for a "+
			"subscription of one of our checkouts that is no membership here. An operator has to look at each; the log has its id. "+
			"If its order waits, `billing call-off` ends it; else the operator ends it and returns the payment at the provider's "+
			"pages"),
		cancelled: counter("cancellations", "{subscription}", "Memberships that are to end with their period, by `reason`: "+
			"`too_expensive`, `unused`, `other`, `unsaid`; one that is cancelled unpaid ends at once and is not counted"),
		catalogue: counter("catalogue.failures", "{attempt}", "Times that the catalogue or the provider's prices could not be read or "+
			"stored; billing uses the last ones until then"),
		provider: counter("provider.failures", "{call}", "Calls of the provider that failed, by `call` and `kind`: `away`, `refused`, `other`"),
	}
	return s, errors.Join(faults...)
}

// WebhookRefused counts a webhook that was not acted upon.
func (s *Sales) WebhookRefused(ctx context.Context, reason string) {
	s.webhooks.Add(ctx, 1, metric.WithAttributes(attribute.String("reason", reason)))
}

// WebhookLost counts what no webhook has brought.
func (s *Sales) WebhookLost(ctx context.Context, found string) {
	s.lost.Add(ctx, 1, metric.WithAttributes(attribute.String("found", found)))
}

// SessionUnknown counts what is none of ours.
func (s *Sales) SessionUnknown(ctx context.Context) { s.unknown.Add(ctx, 1) }

// OrderMismatched counts an order that cannot be completed.
func (s *Sales) OrderMismatched(ctx context.Context) { s.mismatched.Add(ctx, 1) }

// CatalogueFailed counts a comparison that failed.
func (s *Sales) CatalogueFailed(ctx context.Context) { s.catalogue.Add(ctx, 1) }

func (s *Sales) called(ctx context.Context, call string, err error) {
	kind := "other"
	switch {
	case err == nil || errors.Is(err, sales.ErrNotFound) || errors.Is(err, subscriptions.ErrDeclined):
		return
	case errors.Is(err, sales.ErrProviderUnavailable):
		kind = "away"
	case errors.Is(err, sales.ErrRefused):
		kind = "refused"
	}
	s.provider.Add(ctx, 1, metric.WithAttributes(attribute.String("call", call), attribute.String("kind", kind)))
}
