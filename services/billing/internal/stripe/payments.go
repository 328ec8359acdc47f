package stripe

import (
	"context"
	"errors"

	"github.com/stripe/stripe-go/v85"

	"serein.app/services/billing/internal/sales"
)

// Refund returns all that is left of a payment.
func (p *Provider) Refund(ctx context.Context, key, payment string) error {
	_, err := p.client.V1Refunds.Create(ctx, &stripe.RefundCreateParams{
		Params: write(ctx, key), PaymentIntent: stripe.String(payment), Reason: stripe.String("requested_by_customer"),
	})
	if told := new(stripe.Error); errors.As(err, &told) && told.Code == stripe.ErrorCodeChargeAlreadyRefunded {
		return nil
	}
	return fault("refund", err)
}

// Payment reads one with its latest charge, and asks what it was for.
func (p *Provider) Payment(ctx context.Context, id string) (sales.Payment, error) {
	params := &stripe.PaymentIntentRetrieveParams{}
	params.AddExpand("latest_charge")
	found, err := p.client.V1PaymentIntents.Retrieve(ctx, id, params)
	if err != nil {
		return sales.Payment{}, fault("read payment", err)
	}
	read := sales.Payment{
		ID: found.ID, Amount: found.Amount, Currency: string(found.Currency), Paid: found.Status == stripe.PaymentIntentStatusSucceeded,
	}
	if found.Customer != nil {
		read.Customer = found.Customer.ID
	}
	if charge := found.LatestCharge; charge != nil {
		read.Refunded, read.Disputed = charge.AmountRefunded, charge.Disputed
	}
	return read, p.origin(ctx, &read)
}

// origin fills in what a payment was for: a checkout of its own, or an invoice.
func (p *Provider) origin(ctx context.Context, of *sales.Payment) error {
	sessions := &stripe.CheckoutSessionListParams{PaymentIntent: stripe.String(of.ID)}
	sessions.Limit, sessions.Single = stripe.Int64(1), true
	for session, err := range p.client.V1CheckoutSessions.List(ctx, sessions).All(ctx) {
		if err != nil {
			return fault("find checkout of payment", err)
		}
		of.Session = session.ID
		return nil
	}
	invoices := &stripe.InvoicePaymentListParams{Payment: &stripe.InvoicePaymentListPaymentParams{
		Type: stripe.String("payment_intent"), PaymentIntent: stripe.String(of.ID),
	}}
	invoices.Limit, invoices.Single = stripe.Int64(1), true
	for payment, err := range p.client.V1InvoicePayments.List(ctx, invoices).All(ctx) {
		if err != nil {
			return fault("find invoice of payment", err)
		}
		if payment.Invoice != nil {
			of.Invoice = payment.Invoice.ID
		}
		return nil
	}
	return nil
}
