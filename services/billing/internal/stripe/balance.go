package stripe

import (
	"context"

	"github.com/stripe/stripe-go/v85"

	"serein.app/services/billing/internal/sales"
)

// Balance is the other way round at the provider, which says what a customer owes.
func (p *Provider) Balance(ctx context.Context, customer string) (int64, error) {
	found, err := p.client.V1Customers.Retrieve(ctx, customer, nil)
	if err != nil {
		return 0, fault("read balance", err)
	}
	if found.Deleted {
		return 0, sales.ErrNotFound
	}
	return -found.Balance, nil
}

// ChangeBalance looks first whether it was done: a key is good for a day.
func (p *Provider) ChangeBalance(ctx context.Context, key, customer string, change int64, currency, order string) error {
	of := &stripe.CustomerBalanceTransactionListParams{Customer: stripe.String(customer)}
	of.Limit = stripe.Int64(pageSize)
	for done, err := range p.client.V1CustomerBalanceTransactions.List(ctx, of).All(ctx) {
		if err != nil {
			return fault("list changes of balance", err)
		}
		if done.Metadata[orderKey] == order {
			return nil
		}
	}
	_, err := p.client.V1CustomerBalanceTransactions.Create(ctx, &stripe.CustomerBalanceTransactionCreateParams{
		Params: write(ctx, key), Customer: stripe.String(customer), Amount: stripe.Int64(-change), Currency: stripe.String(currency),
		Metadata: map[string]string{orderKey: order},
	})
	return fault("change balance", err)
}
