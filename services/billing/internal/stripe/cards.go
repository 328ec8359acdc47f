package stripe

import (
	"context"

	"github.com/stripe/stripe-go/v85"

	"serein.app/services/billing/internal/sales"
)

// withCards asks for the cards behind a subscription in full: its own, which a checkout gave it, and the customer's, which the portal
// gives them.
func withCards(params interface{ AddExpand(field string) }) {
	params.AddExpand("default_payment_method")
	params.AddExpand("customer.invoice_settings.default_payment_method")
}

func readCards(from *stripe.Subscription) (own, customers sales.Card) {
	if of := from.Customer; of != nil && of.InvoiceSettings != nil {
		customers = readCard(of.InvoiceSettings.DefaultPaymentMethod)
	}
	return readCard(from.DefaultPaymentMethod), customers
}

func readCard(from *stripe.PaymentMethod) sales.Card {
	if from == nil {
		return sales.Card{}
	}
	read := sales.Card{ID: from.ID, GivenAt: at(from.Created)}
	if card := from.Card; card != nil {
		read.Brand, read.Last4, read.Fingerprint = string(card.Brand), card.Last4, card.Fingerprint
	}
	return read
}

// ChargeTo sets a subscription's default card, which Stripe charges in place of the customer's. The call charges nothing.
func (p *Provider) ChargeTo(ctx context.Context, key, subscription, card string) error {
	_, err := p.client.V1Subscriptions.Update(ctx, subscription, &stripe.SubscriptionUpdateParams{
		Params: write(ctx, key), DefaultPaymentMethod: stripe.String(card),
	})
	return fault("give subscription a card", err)
}

// PayInvoice charges an invoice now, before its next scheduled attempt. Stripe charges an invoice once, however many callers ask.
func (p *Provider) PayInvoice(ctx context.Context, key, invoice, card string) error {
	_, err := p.client.V1Invoices.Pay(ctx, invoice, &stripe.InvoicePayParams{Params: write(ctx, key), PaymentMethod: stripe.String(card)})
	if err != nil {
		return chargeFault("pay invoice", err)
	}
	return nil
}
