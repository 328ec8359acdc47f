package paymentsandbox

import (
	"slices"
	"time"
)

// States of a subscription.
const (
	active   = "active"
	pastDue  = "past_due"
	canceled = "canceled"
)

type subscription struct {
	ID            string            `json:"id"`
	Customer      string            `json:"customer"`
	Lines         []line            `json:"lines"`
	Metadata      map[string]string `json:"metadata"`
	Status        string            `json:"status"`
	Interval      string            `json:"interval"`
	Currency      string            `json:"currency"`
	Start         int64             `json:"start"`
	PeriodStart   int64             `json:"periodStart"`
	PeriodEnd     int64             `json:"periodEnd"`
	Periods       int               `json:"periods"` // that have begun
	EndedAt       int64             `json:"endedAt"` // 0 while it runs
	LatestInvoice string            `json:"latestInvoice"`
	Discount      string            `json:"discount,omitempty"` // while it holds
	// Ahead is how far Advance has taken it, in seconds.
	Ahead int64 `json:"ahead"`
	// RetryAt is when an unpaid renewal is tried again; 0 for never.
	RetryAt int64 `json:"retryAt"`
}

func (s *subscription) id() string { return s.ID }

// periodEnd is the end of the nth period.
func (s *subscription) periodEnd(n int) int64 {
	began := time.Unix(s.Start, 0).UTC()
	switch s.Interval {
	case "day":
		return began.AddDate(0, 0, n).Unix()
	case "week":
		return began.AddDate(0, 0, 7*n).Unix() //nolint:mnd // days of a week
	case "year":
		n *= 12
	}
	return monthsAfter(began, n)
}

// monthsAfter is the same day of a later month, or the month's last where there is no such day.
func monthsAfter(began time.Time, n int) int64 {
	first := time.Date(began.Year(), began.Month()+time.Month(n), 1, began.Hour(), began.Minute(), began.Second(), 0, time.UTC)
	last := first.AddDate(0, 1, -1).Day()
	return first.AddDate(0, 0, min(began.Day(), last)-1).Unix()
}

func (s *Sandbox) showSubscription(found *subscription) object {
	shown := object{
		"id": found.ID, "object": "subscription", "customer": found.Customer, "status": found.Status, "currency": found.Currency,
		"created": found.Start, "start_date": found.Start, "billing_cycle_anchor": found.Start, "livemode": false, "metadata": found.Metadata,
		"automatic_tax": object{"enabled": false, "disabled_reason": nil, "liability": nil}, "billing_mode": object{"type": "flexible"},
		"billing_schedules": []object{}, "cancel_at_period_end": false, "cancel_at": nil, "canceled_at": nil, "ended_at": nil,
		"collection_method": "charge_automatically", "discounts": named(found.Discount), "latest_invoice": orNull(found.LatestInvoice),
		"invoice_settings": object{"account_tax_ids": nil, "issuer": object{"type": "self"}}, "trial_start": nil, "trial_end": nil,
		"items": showList("/v1/subscription_items?subscription="+found.ID, found.Lines, false, func(l line) object {
			return s.showItem(found, l)
		}),
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

func (s *Sandbox) cancelSubscription(c *call) (object, error) {
	for _, charging := range []string{"invoice_now", "prorate"} {
		if c.flag(charging, false) {
			c.refuse(charging, "", "The sandbox ends subscriptions without a charge.")
		}
	}
	if err := c.finish(); err != nil {
		return nil, err
	}
	found, ok := s.state.Subscriptions.get(c.path)
	if !ok || found.Status == canceled {
		return nil, missing("subscription", c.path)
	}
	s.end(found)
	return s.showSubscription(found), nil
}

func (s *Sandbox) end(found *subscription) {
	found.Status, found.EndedAt, found.RetryAt = canceled, s.timeOf(found), 0
	s.tell("customer.subscription.deleted", s.showSubscription(found))
}

// timeOf is the time where a subscription is: Advance takes it ahead of the clock.
func (s *Sandbox) timeOf(found *subscription) int64 { return s.now().Unix() + found.Ahead }

// subscribe starts a subscription and pays its first invoice with a payment that came.
func (s *Sandbox) subscribe(from *session, paidBy *payment) {
	first, _ := s.state.Prices.get(from.Lines[0].Price)
	found := &subscription{
		ID: newID("sub"), Customer: from.Customer, Lines: slices.Clone(from.Lines), Metadata: from.PassedOn, Status: active,
		Interval: first.Interval, Currency: from.Currency, Start: s.now().Unix(), PeriodStart: s.now().Unix(), Periods: 1,
	}
	found.PeriodEnd = found.periodEnd(1)
	s.state.Subscriptions.add(found)
	s.grant(found, from)
	from.Subscription = found.ID
	bill := s.bill(found, "subscription_create", paidBy)
	from.Invoice = bill.ID
	s.dropDiscount(found)
	s.tell("customer.subscription.created", s.showSubscription(found))
	s.paidInvoice(bill)
}
