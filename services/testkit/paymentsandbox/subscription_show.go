package paymentsandbox

// tellSubscription tells of a subscription as it is now.
func (s *Sandbox) tellSubscription(kind string, found *subscription) {
	was := *found
	s.tellOf(kind, func() object { return s.showSubscription(&was) })
}

func (s *Sandbox) showSubscription(found *subscription) object {
	shown := object{
		"id": found.ID, "object": "subscription", "customer": found.Customer, "status": found.Status, "currency": found.Currency,
		"created": found.Start, "start_date": found.Start, "billing_cycle_anchor": found.anchor().Unix(), "livemode": false, "metadata": found.Metadata,
		"automatic_tax":     object{"enabled": false, "disabled_reason": nil, "liability": nil},
		"billing_mode":      object{"type": "flexible", "flexible": object{"proration_discounts": "included"}},
		"billing_schedules": []object{}, "cancel_at_period_end": found.CancelAtEnd, "cancel_at": nil, "canceled_at": nil, "ended_at": nil,
		"collection_method": "charge_automatically", "discounts": named(found.Discount), "latest_invoice": orNull(found.LatestInvoice),
		"invoice_settings": object{"account_tax_ids": nil, "issuer": object{"type": "self"}}, "trial_start": nil, "trial_end": nil,
		"items": showList("/v1/subscription_items?subscription="+found.ID, found.Lines, false, func(l line) object {
			return s.showItem(found, l)
		}),
	}
	shown[defaultMethod], shown["cancellation_details"] = orNull(found.Default), found.showCancellation()
	if found.CancelAtEnd {
		shown["cancel_at"], shown["canceled_at"] = found.PeriodEnd, found.CancelAsked
	}
	if found.EndedAt != 0 {
		shown["canceled_at"], shown["ended_at"] = found.EndedAt, found.EndedAt
	}
	return shown
}

func (s *Sandbox) showItem(found *subscription, l line) object {
	p, _ := s.state.Prices.get(l.Price)
	return object{
		"id": "si_" + l.ID, "object": "subscription_item", "created": found.Start, "current_period_start": found.PeriodStart,
		"current_period_end": found.PeriodEnd, "discounts": []string{}, "metadata": l.Metadata, "price": p.show(), "quantity": l.Quantity,
		"subscription": found.ID, "billing_thresholds": nil, "tax_rates": []object{},
	}
}

func (s *Sandbox) subscription(c *call) (object, error) {
	if err := c.finish(); err != nil {
		return nil, err
	}
	found, ok := s.state.Subscriptions.get(c.path)
	if !ok {
		return nil, missing("subscription", c.path)
	}
	return s.showSubscription(found), nil
}

func (s *subscription) made() int64 { return s.Start }

// listSubscriptions leaves out those that have ended, unless the caller names a state.
func (s *Sandbox) listSubscriptions(c *call) (object, error) {
	l, customer, price := c.listing(), c.text("customer"), c.text("price")
	status := ""
	if c.has("status") {
		status = c.one("status", "all", active, pastDue, canceled, "ended")
	}
	if err := c.finish(); err != nil {
		return nil, err
	}
	return page(l, "/v1/subscriptions", s.state.Subscriptions.Items, func(found *subscription) bool {
		return (customer == "" || found.Customer == customer) && (price == "" || found.Lines[0].Price == price) && found.in(status)
	}, s.showSubscription)
}

// in says whether a list of subscriptions in a state holds this one.
func (s *subscription) in(status string) bool {
	switch status {
	case "all":
		return true
	case "":
		return s.Status != canceled
	case "ended":
		return s.Status == canceled
	}
	return s.Status == status
}
