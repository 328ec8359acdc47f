package stripe

import (
	"context"
	"errors"

	"github.com/stripe/stripe-go/v85"

	"serein.app/services/billing/internal/sales"
)

// Subscription reads one with its cards; those that were sold here have one price.
func (p *Provider) Subscription(ctx context.Context, id string) (sales.ProviderSubscription, error) {
	params := &stripe.SubscriptionRetrieveParams{}
	withCards(params)
	found, err := p.client.V1Subscriptions.Retrieve(ctx, id, params)
	if err != nil {
		return sales.ProviderSubscription{}, fault("read subscription", err)
	}
	return readSubscription(found), nil
}

// Subscriptions leaves out those that have ended, as the provider does where no state is asked for. Their cards are ids alone.
func (p *Provider) Subscriptions(ctx context.Context, after string) ([]sales.ProviderSubscription, bool, error) {
	params := &stripe.SubscriptionListParams{}
	params.Limit, params.Single = stripe.Int64(pageSize), true
	if after != "" {
		params.StartingAfter = stripe.String(after)
	}
	list := p.client.V1Subscriptions.List(ctx, params)
	var page []sales.ProviderSubscription
	for found, err := range list.All(ctx) {
		if err != nil {
			return nil, false, fault("list subscriptions", err)
		}
		page = append(page, readSubscription(found))
	}
	return page, list.Meta().HasMore, nil
}

func readSubscription(from *stripe.Subscription) sales.ProviderSubscription {
	read := sales.ProviderSubscription{
		ID: from.ID, UID: from.Metadata[uidKey], Status: string(from.Status), CancelAtPeriodEnd: from.CancelAtPeriodEnd,
		CreatedAt: at(from.Created), EndedAt: at(from.EndedAt),
	}
	read.Card, read.CustomerCard = readCards(from)
	if from.Customer != nil {
		read.Customer = from.Customer.ID
	}
	if from.CancellationDetails != nil {
		read.CancelReason = readFeedback(from.CancellationDetails.Feedback)
	}
	if from.Items != nil && len(from.Items.Data) > 0 {
		item := from.Items.Data[0]
		read.PeriodStart, read.PeriodEnd = at(item.CurrentPeriodStart), at(item.CurrentPeriodEnd)
		if item.Price != nil {
			read.PriceID = item.Price.ID
		}
	}
	return read
}

// readFeedback knows the three that members are offered; others are given at the provider's pages.
func readFeedback(given stripe.SubscriptionCancellationDetailsFeedback) sales.CancelReason {
	switch why := sales.CancelReason(given); why {
	case sales.TooExpensive, sales.Unused, sales.OtherReason:
		return why
	}
	return ""
}

// CancelAtPeriodEnd answers with the subscription as it is then. One that has ended is refused.
func (p *Provider) CancelAtPeriodEnd(
	ctx context.Context, key, id string, cancel bool, why sales.CancelReason,
) (sales.ProviderSubscription, error) {
	params := &stripe.SubscriptionUpdateParams{
		Params: write(ctx, key), CancelAtPeriodEnd: stripe.Bool(cancel),
		// An empty one unsets what was said before.
		CancellationDetails: &stripe.SubscriptionUpdateCancellationDetailsParams{Feedback: stripe.String(string(why))},
	}
	withCards(params)
	found, err := p.client.V1Subscriptions.Update(ctx, id, params)
	if err != nil {
		return sales.ProviderSubscription{}, fault("cancel subscription", err)
	}
	return readSubscription(found), nil
}

// EndSubscription is fine where it has ended: the provider knows no such subscription then, as it says.
func (p *Provider) EndSubscription(ctx context.Context, key, id string) error {
	_, err := p.client.V1Subscriptions.Cancel(ctx, id, &stripe.SubscriptionCancelParams{
		Params: write(ctx, key), InvoiceNow: stripe.Bool(false), Prorate: stripe.Bool(false),
	})
	err = fault("end subscription", err)
	if !errors.Is(err, sales.ErrNotFound) {
		return err
	}
	now, again := p.Subscription(ctx, id)
	if again == nil && !now.EndedAt.IsZero() {
		return nil
	}
	return errors.Join(err, again)
}
