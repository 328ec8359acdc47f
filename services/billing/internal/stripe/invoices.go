package stripe

import (
	"context"
	"slices"
	"time"

	"github.com/stripe/stripe-go/v85"

	"serein.app/services/billing/internal/subscriptions"
)

// Invoices reads all pages, since the provider lists the newest first.
func (p *Provider) Invoices(ctx context.Context, subscription string, since time.Time) ([]subscriptions.Invoice, error) {
	params := &stripe.InvoiceListParams{Subscription: stripe.String(subscription)}
	if !since.IsZero() {
		params.CreatedRange = &stripe.RangeQueryParams{GreaterThanOrEqual: since.Unix()}
	}
	params.Limit = stripe.Int64(pageSize)
	params.AddExpand("data.payments")
	var found []subscriptions.Invoice
	for invoice, err := range p.client.V1Invoices.List(ctx, params).All(ctx) {
		if err != nil {
			return nil, fault("list invoices", err)
		}
		if err := p.wholeInvoice(ctx, invoice); err != nil {
			return nil, err
		}
		found = append(found, readInvoice(invoice))
	}
	slices.Reverse(found)
	return found, nil
}

// wholePayments reads the payments that an expansion of an invoice leaves out: it shows ten.
func (p *Provider) wholePayments(ctx context.Context, invoice *stripe.Invoice) error {
	if invoice == nil || invoice.Payments == nil || !invoice.Payments.HasMore {
		return nil
	}
	params := &stripe.InvoicePaymentListParams{Invoice: stripe.String(invoice.ID)}
	params.Limit = stripe.Int64(pageSize)
	var all []*stripe.InvoicePayment
	for payment, err := range p.client.V1InvoicePayments.List(ctx, params).All(ctx) {
		if err != nil {
			return fault("list payments of invoice", err)
		}
		all = append(all, payment)
	}
	invoice.Payments.Data = all
	return nil
}

// wholeInvoice reads the payments and the lines that an invoice does not show of itself: it shows ten.
func (p *Provider) wholeInvoice(ctx context.Context, invoice *stripe.Invoice) error {
	if err := p.wholePayments(ctx, invoice); err != nil {
		return err
	}
	if invoice.Lines == nil || !invoice.Lines.HasMore {
		return nil
	}
	params := &stripe.InvoiceListLinesParams{Invoice: stripe.String(invoice.ID)}
	params.Limit = stripe.Int64(pageSize)
	var all []*stripe.InvoiceLineItem
	for line, err := range p.client.V1Invoices.ListLines(ctx, params).All(ctx) {
		if err != nil {
			return fault("list lines of invoice", err)
		}
		all = append(all, line)
	}
	invoice.Lines.Data = all
	return nil
}

func readInvoice(from *stripe.Invoice) subscriptions.Invoice {
	return subscriptions.Invoice{
		ID: from.ID, Status: subscriptions.InvoiceStatus(from.Status), Reason: subscriptions.InvoiceReason(from.BillingReason),
		Total: from.Total, Due: from.AmountDue, Charged: from.AmountPaid, FromBalance: from.EndingBalance - from.StartingBalance, Credit: -from.EndingBalance, Currency: string(from.Currency), Lines: readInvoiceLines(from.Lines),
		Payment: paymentOf(from, "paid"), Pending: paymentOf(from, "open"), Attempts: int(from.AttemptCount), NextAttempt: at(from.NextPaymentAttempt), CreatedAt: at(from.Created),
	}
}

// readInvoiceLines reads what wholeInvoice has seen to.
func readInvoiceLines(from *stripe.InvoiceLineItemList) []subscriptions.InvoiceLine {
	if from == nil {
		return nil
	}
	lines := make([]subscriptions.InvoiceLine, len(from.Data))
	for i, line := range from.Data {
		lines[i] = subscriptions.InvoiceLine{Amount: line.Amount, Proration: prorated(line.Parent)}
		for _, off := range line.DiscountAmounts {
			lines[i].Amount -= off.Amount
		}
		if pricing := line.Pricing; pricing != nil && pricing.PriceDetails != nil && pricing.PriceDetails.Price != nil {
			lines[i].PriceID = pricing.PriceDetails.Price.ID
		}
		if line.Period != nil {
			lines[i].PeriodStart, lines[i].PeriodEnd = at(line.Period.Start), at(line.Period.End)
		}
	}
	return lines
}

func prorated(by *stripe.InvoiceLineItemParent) bool {
	switch {
	case by == nil:
		return false
	case by.SubscriptionItemDetails != nil:
		return by.SubscriptionItemDetails.Proration
	case by.InvoiceItemDetails != nil:
		return by.InvoiceItemDetails.Proration
	}
	return false
}
