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

// Payment reads one with its latest charge, which a bank may have refused, and with all that was refunded and disputed of it. The charge's
// own sums are no answer to what has gone: one is of refunds that failed too, the other a word that is true of an inquiry as well.
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
		read.PaidBy = readMeans(charge)
		read.Card.ID = charge.PaymentMethod
		if by := charge.PaymentMethodDetails; by != nil && by.Card != nil {
			read.Card.Brand, read.Card.Last4, read.Card.Fingerprint = string(by.Card.Brand), by.Card.Last4, by.Card.Fingerprint
		}
		if err := p.readGone(ctx, charge, &read); err != nil {
			return sales.Payment{}, err
		}
	}
	if failed := found.LastPaymentError; failed != nil && failed.PaymentMethod != nil { // also what was refused before it was a charge
		read.Card = readCard(failed.PaymentMethod)
	}
	return read, nil
}

// readGone reads the refunds and the disputes of a payment, where its charge says that there are any: all pages of them.
func (p *Provider) readGone(ctx context.Context, charge *stripe.Charge, into *sales.Payment) error {
	if charge.AmountRefunded > 0 {
		params := &stripe.RefundListParams{PaymentIntent: stripe.String(into.ID)}
		params.Limit = stripe.Int64(pageSize)
		for found, err := range p.client.V1Refunds.List(ctx, params).All(ctx) {
			if err != nil {
				return fault("list refunds", err)
			}
			refund := sales.Repayment{ID: found.ID, Status: sales.RepaymentStatus(found.Status), Amount: found.Amount}
			into.Refunded += refund.Takes()
			if !refund.Known() {
				into.StrangeRefunds = append(into.StrangeRefunds, string(refund.Status))
			}
		}
	}
	if charge.Disputed {
		params := &stripe.DisputeListParams{PaymentIntent: stripe.String(into.ID)}
		params.Limit = stripe.Int64(pageSize)
		for found, err := range p.client.V1Disputes.List(ctx, params).All(ctx) {
			if err != nil {
				return fault("list disputes", err)
			}
			into.Disputes = append(into.Disputes, readDispute(found))
		}
	}
	return nil
}

// readDispute takes what a dispute did to the account's balance for what has gone: it is withdrawn by one movement, and put back by another.
func readDispute(from *stripe.Dispute) sales.Dispute {
	read := sales.Dispute{ID: from.ID, Status: sales.DisputeStatus(from.Status), Amount: from.Amount}
	var moved int64
	for _, movement := range from.BalanceTransactions {
		moved += movement.Amount
	}
	read.Withdrawn = moved < 0
	return read
}
