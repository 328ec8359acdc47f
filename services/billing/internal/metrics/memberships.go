package metrics

import (
	"cmp"
	"context"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"

	"serein.app/services/billing/internal/sales"
	"serein.app/services/billing/internal/subscriptions"
)

// Provider is all that is asked of the payment provider.
type Provider interface {
	sales.Provider
	subscriptions.Provider
}

// SubscriptionMended counts a membership that stood otherwise at the provider.
func (s *Sales) SubscriptionMended(ctx context.Context) { s.mended.Add(ctx, 1) }

// SubscriptionUnknown counts a subscription that the provider charges for and that is no membership here.
func (s *Sales) SubscriptionUnknown(ctx context.Context) { s.strange.Add(ctx, 1) }

// CancellationScheduled counts a membership that its member has cancelled.
func (s *Sales) CancellationScheduled(ctx context.Context, why sales.CancelReason) {
	s.cancelled.Add(ctx, 1, metric.WithAttributes(attribute.String("reason", cmp.Or(string(why), "unsaid"))))
}

func (c *counted) Subscriptions(ctx context.Context, after string) ([]sales.ProviderSubscription, bool, error) {
	page, more, err := c.Provider.Subscriptions(ctx, after)
	return page, more, c.done(ctx, "subscriptions", err)
}

func (c *counted) Invoices(ctx context.Context, subscription string, since time.Time) ([]subscriptions.Invoice, error) {
	answer, err := c.Provider.Invoices(ctx, subscription, since)
	return did(ctx, c, "invoices", answer, err)
}

func (c *counted) ChargeTo(ctx context.Context, key, subscription, card string) error {
	return c.done(ctx, "charge_to", c.Provider.ChargeTo(ctx, key, subscription, card))
}

// PayInvoice that a card refuses is no failure of the provider.
func (c *counted) PayInvoice(ctx context.Context, key, invoice, card string) error {
	return c.done(ctx, "pay_invoice", c.Provider.PayInvoice(ctx, key, invoice, card))
}

func (c *counted) Balance(ctx context.Context, customer string) (int64, error) {
	answer, err := c.Provider.Balance(ctx, customer)
	return did(ctx, c, "balance", answer, err)
}

func (c *counted) ChangeBalance(ctx context.Context, key, customer string, change int64, currency, order string) error {
	return c.done(ctx, "change_balance", c.Provider.ChangeBalance(ctx, key, customer, change, currency, order))
}

func (c *counted) PreviewChange(ctx context.Context, subscription, price string, at time.Time) (subscriptions.Preview, error) {
	answer, err := c.Provider.PreviewChange(ctx, subscription, price, at)
	return did(ctx, c, "preview_change", answer, err)
}

// ChangePrice that a card refuses is no failure of the provider.
func (c *counted) ChangePrice(ctx context.Context, key, subscription, price string, at time.Time) (sales.ProviderSubscription, error) {
	answer, err := c.Provider.ChangePrice(ctx, key, subscription, price, at)
	return did(ctx, c, "change_price", answer, err)
}

func (c *counted) CancelAtPeriodEnd(
	ctx context.Context, key, subscription string, cancel bool, why sales.CancelReason,
) (sales.ProviderSubscription, error) {
	answer, err := c.Provider.CancelAtPeriodEnd(ctx, key, subscription, cancel, why)
	return did(ctx, c, "cancel", answer, err)
}
