package stripe

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"regexp"

	"github.com/stripe/stripe-go/v85"

	"serein.app/services/billing/internal/sales"
)

// uidKey is where a customer, a subscription and a checkout say whose they are.
const uidKey = "uid"

// CreateCustomer makes one that FindCustomer finds.
func (p *Provider) CreateCustomer(ctx context.Context, key string, c sales.Customer) (string, error) {
	params := &stripe.CustomerCreateParams{
		Params: write(ctx, key), Email: stripe.String(c.Email), Metadata: map[string]string{uidKey: c.UID},
	}
	if c.Name != "" {
		params.Name = stripe.String(c.Name)
	}
	made, err := p.client.V1Customers.Create(ctx, params)
	if err != nil {
		return "", fault("create customer", err)
	}
	return made.ID, nil
}

// UpdateCustomer changes what is not empty.
func (p *Provider) UpdateCustomer(ctx context.Context, key, id string, c sales.Customer) error {
	params := &stripe.CustomerUpdateParams{Params: write(ctx, key)}
	if c.Email != "" {
		params.Email = stripe.String(c.Email)
	}
	if c.Name != "" {
		params.Name = stripe.String(c.Name)
	}
	_, err := p.client.V1Customers.Update(ctx, id, params)
	return fault("update customer", err)
}

// uids are letters, digits and dashes; anything else could end the query's text.
var uids = regexp.MustCompile(`^[0-9A-Za-z_-]+$`)

// FindCustomer searches. The provider's search lags by a minute or so, and by an hour on a bad day: it is for what is older than
// an idempotency key, which repeats CreateCustomer's answer for a day.
func (p *Provider) FindCustomer(ctx context.Context, uid string) (string, error) {
	if !uids.MatchString(uid) {
		return "", fmt.Errorf("find customer: %w: not a uid", sales.ErrNotFound)
	}
	params := &stripe.CustomerSearchParams{SearchParams: stripe.SearchParams{
		Query: fmt.Sprintf("metadata['%s']:'%s'", uidKey, uid), Limit: stripe.Int64(1), Single: true,
	}}
	for found, err := range p.client.V1Customers.Search(ctx, params).All(ctx) {
		if err != nil {
			return "", fault("find customer", err)
		}
		return found.ID, nil
	}
	return "", fmt.Errorf("find customer: %w", sales.ErrNotFound)
}

// DeleteCustomer leaves payments and invoices as they are, without the person's address and cards. A repeated deletion finds
// nobody, which is fine.
func (p *Provider) DeleteCustomer(ctx context.Context, key, id string) error {
	_, err := p.client.V1Customers.Delete(ctx, id, &stripe.CustomerDeleteParams{Params: write(ctx, key)})
	if err = fault("delete customer", err); errors.Is(err, sales.ErrNotFound) {
		return nil
	}
	return err
}

// PortalURL opens Stripe's portal at its page for the card, which returns to returnURL once the member has given a card. Each call creates
// a new portal session.
func (p *Provider) PortalURL(ctx context.Context, customer, returnURL string) (string, error) {
	back := stripe.String(returnURL)
	made, err := p.client.V1BillingPortalSessions.Create(ctx, &stripe.BillingPortalSessionCreateParams{
		Params: write(ctx, "portal:"+rand.Text()), Customer: stripe.String(customer), ReturnURL: back,
		FlowData: &stripe.BillingPortalSessionCreateFlowDataParams{
			Type: stripe.String("payment_method_update"), AfterCompletion: &stripe.BillingPortalSessionCreateFlowDataAfterCompletionParams{
				Type: stripe.String("redirect"), Redirect: &stripe.BillingPortalSessionCreateFlowDataAfterCompletionRedirectParams{ReturnURL: back},
			},
		},
	})
	if err != nil {
		return "", fault("open portal", err)
	}
	return made.URL, nil
}
