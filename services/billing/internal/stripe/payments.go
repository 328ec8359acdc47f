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

// Payment reads one with its latest charge, which a bank may have refused.
func (p *Provider) Payment(ctx context.Context, id string) (sales.Payment, error) {
	params := &stripe.PaymentIntentRetrieveParams{}
	params.AddExpand("latest_charge")
	found, err := p.client.V1PaymentIntents.Retrieve(ctx, id, params)
	if err != nil {
		return sales.Payment{}, fault("read payment", err)
	}
	read := sales.Payment{
		ID: found.ID, Amount: found.Amount, Currency: string(found.Currency),
	}
	if found.Customer != nil {
		read.Customer = found.Customer.ID
	}
	if charge := found.LatestCharge; charge != nil {
		read.Refunded, read.Disputed = charge.AmountRefunded, charge.Disputed
		read.Card.ID = charge.PaymentMethod
		if by := charge.PaymentMethodDetails; by != nil && by.Card != nil {
			read.Card.Brand, read.Card.Last4, read.Card.Fingerprint = string(by.Card.Brand), by.Card.Last4, by.Card.Fingerprint
		}
	}
	if failed := found.LastPaymentError; failed != nil && failed.PaymentMethod != nil { // also what was refused before it was a charge
		read.Card = readCard(failed.PaymentMethod)
	}
	return read, nil
}
