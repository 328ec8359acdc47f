package providertest

import (
	"cmp"
	"context"
	"maps"

	"serein.app/services/billing/internal/sales"
)

// CreateCustomer makes one.
func (p *Provider) CreateCustomer(_ context.Context, key string, c sales.Customer) (string, error) {
	return call(p, "CreateCustomer", key, func() (string, error) {
		p.customers[c.UID] = p.id("cus")
		p.contacts[p.customers[c.UID]] = c
		return p.customers[c.UID], nil
	})
}

// UpdateCustomer keeps what the customer is known as now.
func (p *Provider) UpdateCustomer(_ context.Context, key, id string, c sales.Customer) error {
	_, err := call(p, "UpdateCustomer", key, func() (bool, error) {
		if p.deleted[id] {
			return false, sales.ErrNotFound
		}
		known := p.contacts[id]
		p.contacts[id] = sales.Customer{UID: known.UID, Email: cmp.Or(c.Email, known.Email), Name: cmp.Or(c.Name, known.Name)}
		return true, nil
	})
	return err
}

// DeleteCustomer forgets one.
func (p *Provider) DeleteCustomer(_ context.Context, key, id string) error {
	_, err := call(p, "DeleteCustomer", key, func() (bool, error) {
		maps.DeleteFunc(p.customers, func(_, known string) bool { return known == id })
		return true, nil
	})
	return err
}

// FindCustomer finds one.
func (p *Provider) FindCustomer(_ context.Context, uid string) (string, error) {
	return call(p, "FindCustomer", "", func() (string, error) {
		if id, ok := p.customers[uid]; ok {
			return id, nil
		}
		return "", sales.ErrNotFound
	})
}
