package providertest

import (
	"context"

	"serein.app/services/billing/internal/sales"
)

// balances are the lives that a customer's balance stands in; the lock is held.
func (p *Provider) balances(customer string) (of []*life) {
	for id, s := range p.subs {
		if s.Customer == customer {
			of = append(of, p.lives[id])
		}
	}
	return of
}

// Balance is what a customer's memberships have been credited.
func (p *Provider) Balance(_ context.Context, customer string) (int64, error) {
	return call(p, "Balance", "", func() (sum int64, err error) {
		for _, l := range p.balances(customer) {
			sum += l.credit
		}
		return sum, nil
	})
}

// ChangeBalance changes it once for an order.
func (p *Provider) ChangeBalance(_ context.Context, key, customer string, change int64, _, order string) error {
	_, err := call(p, "ChangeBalance", key, func() (bool, error) {
		all := p.balances(customer)
		switch {
		case p.changed[order]:
			return true, nil
		case len(all) == 0:
			return false, sales.ErrNotFound
		}
		p.changed[order] = true
		all[0].credit += change
		return true, nil
	})
	return err
}
