package stripe

import (
	"context"
	"errors"
	"slices"

	"github.com/stripe/stripe-go/v85"

	"serein.app/services/billing/internal/sales"
)

// keysAtOnce is how many lookup keys the provider takes in one question.
const keysAtOnce = 10

// Prices asks for a few lookup keys at a time.
func (p *Provider) Prices(ctx context.Context, lookupKeys []string) (map[string]sales.ProviderPrice, error) {
	found := map[string]sales.ProviderPrice{}
	for keys := range slices.Chunk(lookupKeys, keysAtOnce) {
		params := &stripe.PriceListParams{LookupKeys: stripe.StringSlice(keys)}
		params.Limit = stripe.Int64(keysAtOnce)
		params.AddExpand("data.product")
		for price, err := range p.client.V1Prices.List(ctx, params).All(ctx) {
			if err != nil {
				return nil, fault("list prices", err)
			}
			if slices.Contains(keys, price.LookupKey) {
				found[price.LookupKey] = readPrice(price)
			}
		}
	}
	return found, nil
}

// CreatePrice makes the product first, or gives it the name that it has now: the hosted checkout shows that.
func (p *Provider) CreatePrice(ctx context.Context, key string, n sales.NewPrice) (sales.ProviderPrice, error) {
	if err := p.product(ctx, key, n); err != nil {
		return sales.ProviderPrice{}, err
	}
	params := &stripe.PriceCreateParams{
		Params: write(ctx, key), Product: stripe.String(n.ProductID), LookupKey: stripe.String(n.LookupKey), TransferLookupKey: stripe.Bool(true),
		UnitAmount: stripe.Int64(n.Amount), Currency: stripe.String(n.Currency),
		TaxBehavior: stripe.String(string(stripe.PriceTaxBehaviorInclusive)), // what is shown is what is charged, whatever tax it contains
	}
	if n.Period != "" {
		params.Recurring = &stripe.PriceCreateRecurringParams{Interval: stripe.String(n.Period)}
	}
	params.AddExpand("product")
	made, err := p.client.V1Prices.Create(ctx, params)
	if err != nil {
		return sales.ProviderPrice{}, fault("create price", err)
	}
	return readPrice(made), nil
}

func (p *Provider) product(ctx context.Context, key string, n sales.NewPrice) error {
	found, err := p.client.V1Products.Retrieve(ctx, n.ProductID, nil)
	switch err = fault("read product", err); {
	case errors.Is(err, sales.ErrNotFound):
		_, err = p.client.V1Products.Create(ctx, &stripe.ProductCreateParams{
			Params: write(ctx, key+":product"), ID: stripe.String(n.ProductID), Name: stripe.String(n.Name),
		})
		return fault("create product", err)
	case err != nil:
		return err
	case found.Name == n.Name:
		return nil
	}
	_, err = p.client.V1Products.Update(ctx, n.ProductID, &stripe.ProductUpdateParams{
		Params: write(ctx, key+":name"), Name: stripe.String(n.Name),
	})
	return fault("name product", err)
}

func readPrice(price *stripe.Price) sales.ProviderPrice {
	read := sales.ProviderPrice{
		ID: price.ID, LookupKey: price.LookupKey, Amount: price.UnitAmount, Currency: string(price.Currency), Active: price.Active,
	}
	if price.Recurring != nil {
		read.Period = period(price.Recurring)
	}
	if price.Product != nil {
		read.Name, read.Active = price.Product.Name, price.Active && price.Product.Active
	}
	return read
}

// period is the provider's word for it, or one that no catalogue has where it is paid every few of them.
func period(r *stripe.PriceRecurring) string {
	if r.IntervalCount > 1 {
		return "several " + string(r.Interval) + "s"
	}
	return string(r.Interval)
}
