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
	// Default is its own card, before the customer's; empty for none.
	Default string `json:"default,omitempty"`
	// Ahead is how far Advance has taken it, in seconds.
	Ahead int64 `json:"ahead"`
	// RetryAt is when an unpaid renewal is tried again; 0 for never.
	RetryAt int64 `json:"retryAt"`
	// CancelAtEnd has it end with its period; CancelAsked is when that was asked for.
	CancelAtEnd bool  `json:"cancelAtEnd,omitempty"`
	CancelAsked int64 `json:"cancelAsked,omitempty"`
	// Feedback is what the customer said of why; EndedUnpaid: it has ended because it was not paid.
	Feedback    string `json:"feedback,omitempty"`
	EndedUnpaid bool   `json:"endedUnpaid,omitempty"`
	// Anchor is what the periods are counted from since their length was changed; 0 is Start.
	Anchor int64 `json:"anchor,omitempty"`
	// Debit is what was charged last for the time until the period's end.
	Debit *debit `json:"debit,omitempty"`
}

func (s *subscription) id() string { return s.ID }

// periodEnd is the end of the nth period.
func (s *subscription) periodEnd(n int) int64 {
	began := s.anchor()
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
	s.end(found, s.timeOf(found))
	return s.showSubscription(found), nil
}

// end ends a subscription. What it was billed and has not paid stays open, and is tried no more.
func (s *Sandbox) end(found *subscription, at int64) {
	found.Status, found.EndedAt, found.RetryAt = canceled, at, 0
	s.tellSubscription("customer.subscription.deleted", found)
}

// timeOf is the time where a subscription is: Advance takes it ahead of the clock.
func (s *Sandbox) timeOf(found *subscription) int64 { return s.now().Unix() + found.Ahead }

// subscribe starts a subscription that is charged to the given card, and marks its first invoice as paid by the given payment.
func (s *Sandbox) subscribe(from *session, paidBy *payment, card string) {
	first, _ := s.state.Prices.get(from.Lines[0].Price)
	found := &subscription{
		ID: newID("sub"), Customer: from.Customer, Lines: slices.Clone(from.Lines), Metadata: from.PassedOn, Status: active,
		Interval: first.Interval, Currency: from.Currency, Start: s.now().Unix(), PeriodStart: s.now().Unix(), Periods: 1, Default: card,
	}
	found.PeriodEnd = found.periodEnd(1)
	s.state.Subscriptions.add(found)
	s.grant(found, from)
	from.Subscription = found.ID
	bill := s.draft(found, "subscription_create", found.Lines, found.Start)
	found.Debit = &debit{s.billed(bill), found.Start}
	s.keep(found, bill)
	if paidBy != nil {
		bill.Payment, paidBy.Invoice = paidBy.ID, bill.ID
	}
	from.Invoice = bill.ID
	s.dropDiscount(found)
	s.plan(found)
	s.tellSubscription("customer.subscription.created", found)
	s.paidInvoice(bill, found.Start)
}
