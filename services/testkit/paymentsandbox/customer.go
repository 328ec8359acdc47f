package paymentsandbox

import (
	"maps"
	"regexp"
	"slices"
)

type customer struct {
	ID       string            `json:"id"`
	Email    string            `json:"email"`
	Name     string            `json:"name"`
	Metadata map[string]string `json:"metadata"`
	Created  int64             `json:"created"`
	// Default is the card for subscriptions without their own card; empty until the portal sets one.
	Default string `json:"default,omitempty"`
	// Balance goes into the next invoices: below 0 what the customer has been credited, above 0 what was too little to charge.
	Balance int64 `json:"balance,omitempty"`
	// Deleted leaves the id, and nothing of the person.
	Deleted bool `json:"deleted,omitempty"`
}

func (c *customer) id() string  { return c.ID }
func (c *customer) made() int64 { return c.Created }

func (c *customer) show() object {
	return object{
		"id": c.ID, "object": "customer", "created": c.Created, "livemode": false, "email": orNull(c.Email), "name": orNull(c.Name),
		"metadata": c.Metadata, "address": nil, "balance": c.Balance, "currency": nil, "default_source": nil, "delinquent": false,
		"description": nil, "discount": nil, "invoice_prefix": "SANDBOX", "next_invoice_sequence": 1, "phone": nil,
		"preferred_locales": []string{}, "shipping": nil, "tax_exempt": "none", "test_clock": nil,
		"invoice_settings": object{"custom_fields": nil, defaultMethod: orNull(c.Default), "footer": nil, "rendering_options": nil},
	}
}

func (s *Sandbox) createCustomer(c *call) (object, error) {
	made := &customer{
		ID: newID("cus"), Email: c.text("email"), Name: c.text("name"), Metadata: c.pairs("metadata"), Created: s.now().Unix(),
	}
	if err := c.finish(); err != nil {
		return nil, err
	}
	s.state.Customers.add(made)
	s.tell("customer.created", made.show())
	return made.show(), nil
}

func (s *Sandbox) customer(c *call) (object, error) {
	if err := c.finish(); err != nil {
		return nil, err
	}
	found, ok := s.state.Customers.get(c.path)
	if !ok {
		return nil, missing("customer", c.path)
	}
	if found.Deleted {
		return found.gone(), nil
	}
	return found.show(), nil
}

// updateCustomer changes what is sent; an empty text takes it away.
func (s *Sandbox) updateCustomer(c *call) (object, error) {
	found, ok := s.payer(c.path)
	if !ok {
		return nil, missing("customer", c.path)
	}
	changed := *found
	for name, field := range map[string]*string{"email": &changed.Email, "name": &changed.Name} {
		if c.has(name) {
			*field = c.text(name)
		}
	}
	changed.Metadata = maps.Clone(found.Metadata)
	maps.Copy(changed.Metadata, c.pairs("metadata"))
	if err := c.finish(); err != nil {
		return nil, err
	}
	*found = changed
	s.tell("customer.updated", found.show())
	return found.show(), nil
}

// payer is a customer that has not been deleted.
func (s *Sandbox) payer(id string) (*customer, bool) {
	found, ok := s.state.Customers.get(id)
	return found, ok && !found.Deleted
}

// payerOrNil is one without anything where the customer was deleted.
func (s *Sandbox) payerOrNil(id string) *customer {
	if found, ok := s.payer(id); ok {
		return found
	}
	return new(customer)
}

// deleteCustomer ends what the customer pays for at once; what was paid stays with its payments.
func (s *Sandbox) deleteCustomer(c *call) (object, error) {
	if err := c.finish(); err != nil {
		return nil, err
	}
	found, ok := s.payer(c.path)
	if !ok {
		return nil, missing("customer", c.path)
	}
	for _, one := range s.state.Subscriptions.Items {
		if one.Customer != found.ID {
			continue
		}
		if one.Default = ""; one.Status != canceled {
			s.end(one, s.timeOf(one))
		}
	}
	s.tell("customer.deleted", found.show())
	*found = customer{ID: found.ID, Created: found.Created, Deleted: true}
	return found.gone(), nil
}

func (c *customer) gone() object { return object{"id": c.ID, "object": "customer", "deleted": true} }

func (s *Sandbox) listCustomers(c *call) (object, error) {
	l, email := c.listing(), c.text("email")
	if err := c.finish(); err != nil {
		return nil, err
	}
	return page(l, "/v1/customers", s.state.Customers.Items, func(found *customer) bool {
		return !found.Deleted && (email == "" || found.Email == email)
	}, (*customer).show)
}

// byMetadata is the one query that is understood.
var byMetadata = regexp.MustCompile(`^metadata\['([^']+)'\]:'([^']*)'$`)

// searchCustomers finds by one entry of the metadata. What is new is missing for a while, as Stripe warns.
func (s *Sandbox) searchCustomers(c *call) (object, error) {
	query, limit := c.must("query"), c.whole("limit", pageSize, 1)
	if err := c.finish(); err != nil {
		return nil, err
	}
	asked := byMetadata.FindStringSubmatch(query)
	if asked == nil {
		return nil, invalid("query", "", "We were unable to parse your search query.")
	}
	var found []*customer
	for _, one := range slices.Backward(s.state.Customers.Items) {
		seen := s.now().Unix()-one.Created >= int64(s.config.SearchLag.Seconds())
		if seen && !one.Deleted && one.Metadata[asked[1]] == asked[2] {
			found = append(found, one)
		}
	}
	more := len(found) > int(limit)
	shown := showList("/v1/customers/search", found[:min(int(limit), len(found))], more, (*customer).show)
	shown["object"], shown["next_page"] = "search_result", nil
	return shown, nil
}
