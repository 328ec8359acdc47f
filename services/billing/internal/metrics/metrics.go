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
		webhooks:   counter("webhooks.refused", "{event}", "Webhooks that were not acted upon, by reason: signature, version, account, live"),
		lost:       counter("webhooks.lost", "{event}", "What no webhook has brought, by what was found: event (by the provider's list), order (by reading it back)"),
		unknown:    counter("webhooks.unknown", "{event}", "Checkouts, subscriptions and payments that the provider sent events of and that billing did not start"),
		mismatched: counter("orders.mismatched", "{order}", "Times that an order was not completed because what was paid is not what was ordered"),
		mended:     counter("subscriptions.mended", "{subscription}", "Memberships that the provider had otherwise, though nothing was on its way"),
		strange:    counter("subscriptions.unknown", "{subscription}", "Times that the provider was found to charge for a subscription that is no membership here"),
		cancelled:  counter("cancellations", "{subscription}", "Memberships that their members cancelled, by reason: too_expensive, unused, other, unsaid"),
		catalogue:  counter("catalogue.failures", "{attempt}", "Times that the catalogue or the provider's prices could not be read or kept"),
		provider:   counter("provider.failures", "{call}", "Calls of the payment provider that failed, by call and kind: away, refused, other"),
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
