package stripe

import (
	"context"
	"errors"

	"github.com/stripe/stripe-go/v85"

	"serein.app/services/billing/internal/sales"
)

// Subscription reads one; those that were sold here have one price.
func (p *Provider) Subscription(ctx context.Context, id string) (sales.ProviderSubscription, error) {
	found, err := p.client.V1Subscriptions.Retrieve(ctx, id, nil)
	if err != nil {
		return sales.ProviderSubscription{}, fault("read subscription", err)
	}
	read := sales.ProviderSubscription{
		ID: found.ID, UID: found.Metadata[uidKey], Status: string(found.Status), CancelAtPeriodEnd: found.CancelAtPeriodEnd,
		EndedAt: at(found.EndedAt),
	}
	if found.Customer != nil {
		read.Customer = found.Customer.ID
	}
	if found.LatestInvoice != nil {
		read.LatestInvoice = found.LatestInvoice.ID
	}
	if found.Items != nil && len(found.Items.Data) > 0 {
		item := found.Items.Data[0]
		read.PeriodStart, read.PeriodEnd = at(item.CurrentPeriodStart), at(item.CurrentPeriodEnd)
		if item.Price != nil {
			read.PriceID = item.Price.ID
		}
	}
	return read, nil
}

// EndSubscription is fine where it has ended: the provider knows no such subscription then, as it says.
func (p *Provider) EndSubscription(ctx context.Context, key, id string) error {
	_, err := p.client.V1Subscriptions.Cancel(ctx, id, &stripe.SubscriptionCancelParams{
		Params: write(ctx, key), InvoiceNow: stripe.Bool(false), Prorate: stripe.Bool(false),
	})
	err = fault("end subscription", err)
	if !errors.Is(err, sales.ErrNotThere) {
		return err
	}
	now, again := p.Subscription(ctx, id)
	if again == nil && !now.EndedAt.IsZero() {
		return nil
	}
	return errors.Join(err, again)
}
