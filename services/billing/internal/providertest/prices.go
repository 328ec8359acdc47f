package providertest

import (
	"context"

	"serein.app/services/billing/internal/sales"
)

// Prices gives those that the keys lead to.
func (p *Provider) Prices(_ context.Context, keys []string) (map[string]sales.ProviderPrice, error) {
	return call(p, "Prices", "", func() (map[string]sales.ProviderPrice, error) {
		found := map[string]sales.ProviderPrice{}
		for _, key := range keys {
			if price, ok := p.prices[key]; ok {
				found[key] = price
			}
		}
		return found, nil
	})
}

// SetPrice changes what the provider has, as somebody at its own pages would.
func (p *Provider) SetPrice(key string, change func(*sales.ProviderPrice)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	price := p.prices[key]
	change(&price)
	p.prices[key] = price
}

// CreatePrice makes one, and it takes the key over.
func (p *Provider) CreatePrice(_ context.Context, key string, n sales.NewPrice) (sales.ProviderPrice, error) {
	return call(p, "CreatePrice", key, func() (sales.ProviderPrice, error) {
		price := sales.ProviderPrice{
			ID: p.id("price"), LookupKey: n.LookupKey, Amount: n.Amount, Currency: n.Currency, Period: n.Period, Name: n.Name, Active: true,
		}
		p.prices[n.LookupKey] = price
		return price, nil
	})
}
