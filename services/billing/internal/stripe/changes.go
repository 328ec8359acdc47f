package stripe

import (
	"context"
	"fmt"
	"time"

	"github.com/stripe/stripe-go/v85"

	"serein.app/services/billing/internal/sales"
	"serein.app/services/billing/internal/subscriptions"
)

// A change is charged at once or not made: nothing of it waits for the next invoice.
const (
	chargeNow      = "always_invoice"
	errorIfNotPaid = "error_if_incomplete"
)

// item is the one price of a subscription.
func (p *Provider) item(ctx context.Context, subscription string) (*stripe.SubscriptionItem, error) {
	found, err := p.client.V1Subscriptions.Retrieve(ctx, subscription, nil)
	if err != nil {
		return nil, fault("read subscription", err)
	}
	if found.Items == nil || len(found.Items.Data) == 0 {
		return nil, fmt.Errorf("read subscription: %w: it has no price", sales.ErrNotFound)
	}
	return found.Items.Data[0], nil
}

// ChangePrice keeps the item and gives it another price, so that a repeated key asks for the same.
func (p *Provider) ChangePrice(ctx context.Context, key, subscription, price string, at time.Time) (sales.ProviderSubscription, error) {
	item, err := p.item(ctx, subscription)
	if err != nil {
		return sales.ProviderSubscription{}, err
	}
	params := &stripe.SubscriptionUpdateParams{
		Params: write(ctx, key), Items: []*stripe.SubscriptionUpdateItemParams{{ID: stripe.String(item.ID), Price: stripe.String(price)}},
		ProrationBehavior: stripe.String(chargeNow), ProrationDate: stripe.Int64(at.Unix()), PaymentBehavior: stripe.String(errorIfNotPaid),
	}
	withCards(params)
	changed, err := p.client.V1Subscriptions.Update(ctx, subscription, params)
	if err != nil {
		return sales.ProviderSubscription{}, chargeFault("change price", err)
	}
	return readSubscription(changed), nil
}

// PreviewChange asks for the invoice that ChangePrice would make.
func (p *Provider) PreviewChange(ctx context.Context, subscription, price string, at time.Time) (subscriptions.Preview, error) {
	item, err := p.item(ctx, subscription)
	if err != nil {
		return subscriptions.Preview{}, err
	}
	invoice, err := p.client.V1Invoices.CreatePreview(ctx, &stripe.InvoiceCreatePreviewParams{
		Subscription: stripe.String(subscription), SubscriptionDetails: &stripe.InvoiceCreatePreviewSubscriptionDetailsParams{
			Items:             []*stripe.InvoiceCreatePreviewSubscriptionDetailsItemParams{{ID: stripe.String(item.ID), Price: stripe.String(price)}},
			ProrationBehavior: stripe.String(chargeNow), ProrationDate: stripe.Int64(at.Unix()),
		},
	})
	if err != nil {
		return subscriptions.Preview{}, fault("preview change", err)
	}
	return readPreview(invoice, item, price), nil
}

// readPreview takes the period from the line that is for a whole one: there is none where the present period goes on.
func readPreview(from *stripe.Invoice, now *stripe.SubscriptionItem, price string) subscriptions.Preview {
	read := subscriptions.Preview{
		Amount: from.AmountDue, Currency: string(from.Currency), Lines: readInvoiceLines(from.Lines), Total: from.Total, Balance: from.StartingBalance,
		Credit: from.AmountDue - from.Total - from.StartingBalance, PeriodStart: at(now.CurrentPeriodStart), PeriodEnd: at(now.CurrentPeriodEnd),
	}
	if from.Total < 0 {
		read.Amount = from.Total
	}
	for _, line := range read.Lines {
		if line.PriceID == price && !line.Proration {
			read.PeriodStart, read.PeriodEnd = line.PeriodStart, line.PeriodEnd
		}
	}
	return read
}
