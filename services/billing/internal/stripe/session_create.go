package stripe

import (
	"context"
	"strings"

	"github.com/stripe/stripe-go/v85"

	"serein.app/services/billing/internal/sales"
)

// orderKey is where what a checkout leads to says which order it is for.
const orderKey = "order_id"

// CreateSession opens one that names the order and whose it is in all that it leads to. The answer has no lines: they are read by Session.
func (p *Provider) CreateSession(ctx context.Context, key string, s sales.NewSession) (sales.Session, error) {
	whose := map[string]string{uidKey: s.UID, orderKey: s.OrderID}
	params := &stripe.CheckoutSessionCreateParams{
		Params: write(ctx, key), ClientReferenceID: stripe.String(s.OrderID), Metadata: whose, Locale: stripe.String("en-GB"),
		SuccessURL: stripe.String(s.SuccessURL), CancelURL: stripe.String(s.CancelURL), ExpiresAt: stripe.Int64(s.ExpiresAt.Unix()),
	}
	if s.Subscription {
		params.Mode = stripe.String(string(stripe.CheckoutSessionModeSubscription))
		params.SubscriptionData = &stripe.CheckoutSessionCreateSubscriptionDataParams{Metadata: whose}
	} else {
		params.Mode = stripe.String(string(stripe.CheckoutSessionModePayment))
		params.PaymentIntentData = &stripe.CheckoutSessionCreatePaymentIntentDataParams{Metadata: whose}
	}
	if s.Customer != "" {
		params.Customer = stripe.String(s.Customer)
	} else if s.Email != "" {
		params.CustomerEmail = stripe.String(s.Email)
	}
	if len(s.Methods) > 0 {
		params.PaymentMethodTypes = stripe.StringSlice(s.Methods)
	}
	if s.PromotionCodes {
		params.AllowPromotionCodes = stripe.Bool(true)
	}
	addLines(params, s.Lines)
	if s.Delivery {
		addDelivery(params, s)
	}
	made, err := p.client.V1CheckoutSessions.Create(ctx, params)
	if err != nil {
		return sales.Session{}, fault("open checkout", err)
	}
	return readSession(made), nil
}

// addLines shows the notes by the button: the provider has no place for them under a name.
func addLines(params *stripe.CheckoutSessionCreateParams, lines []sales.SessionLine) {
	var notes []string
	for _, line := range lines {
		params.LineItems = append(params.LineItems, &stripe.CheckoutSessionCreateLineItemParams{
			Price: stripe.String(line.PriceID), Quantity: stripe.Int64(line.Quantity),
		})
		if line.Note != "" {
			notes = append(notes, line.Note)
		}
	}
	if len(notes) > 0 {
		params.CustomText = &stripe.CheckoutSessionCreateCustomTextParams{
			Submit: &stripe.CheckoutSessionCreateCustomTextSubmitParams{Message: stripe.String(strings.Join(notes, "; "))},
		}
	}
}

func addDelivery(params *stripe.CheckoutSessionCreateParams, s sales.NewSession) {
	params.ShippingAddressCollection = &stripe.CheckoutSessionCreateShippingAddressCollectionParams{
		AllowedCountries: stripe.StringSlice(s.Countries),
	}
	params.ShippingOptions = []*stripe.CheckoutSessionCreateShippingOptionParams{{
		ShippingRateData: &stripe.CheckoutSessionCreateShippingOptionShippingRateDataParams{
			DisplayName: stripe.String(s.DeliveryName), Type: stripe.String("fixed_amount"),
			FixedAmount: &stripe.CheckoutSessionCreateShippingOptionShippingRateDataFixedAmountParams{
				Amount: stripe.Int64(s.DeliveryAmount), Currency: stripe.String(s.Currency),
			},
		},
	}}
}
