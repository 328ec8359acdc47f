package providertest

import (
	"fmt"
	"math/big"
	"slices"
	"time"

	"serein.app/services/billing/internal/sales"
	"serein.app/services/billing/internal/subscriptions"
)

// retry is how long after a failed payment the next is tried.
const retry = 3 * 24 * time.Hour

// life is what became of a subscription, beside what is read of it.
type life struct {
	// anchor is the moment that its periods are reckoned from, n how many of them began after the first.
	anchor   time.Time
	n        int
	credit   int64 // of what was paid too much, for the next invoices
	invoices []subscriptions.Invoice
	undo     map[string]bool // keys of changes that the card refused
}

// period is the end of the n-th period from an anchor: the same day of the month, or its last.
func period(anchor time.Time, n int, size string) time.Time {
	months := n
	if size == "year" {
		months = 12 * n
	}
	first := time.Date(anchor.Year(), anchor.Month()+time.Month(months), 1, anchor.Hour(), anchor.Minute(), anchor.Second(), anchor.Nanosecond(), time.UTC)
	last := first.AddDate(0, 1, -1).Day()
	return first.AddDate(0, 0, min(anchor.Day(), last)-1)
}

// tellInvoice notes an event of an invoice; the lock is held.
func (p *Provider) tellInvoice(kind, subscription, invoice string) {
	p.tell(kind, "invoice", invoice, "")
	p.events[len(p.events)-1].Subscription = subscription
}

// end ends a subscription; the lock is held.
func (p *Provider) end(s *sales.ProviderSubscription, at time.Time) {
	s.EndedAt, s.Status = at, "canceled"
	p.tell("customer.subscription.deleted", "subscription", s.ID, "")
}

// Turn is the end of a subscription's period: it is charged for the next, or ends where it was cancelled. The events follow.
func (p *Provider) Turn(subscription string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	s, l := p.subs[subscription], p.lives[subscription]
	if !s.EndedAt.IsZero() {
		return
	}
	if s.CancelAtPeriodEnd {
		p.end(s, s.PeriodEnd)
		return
	}
	price, _ := p.byID(s.PriceID)
	l.n++
	s.PeriodStart, s.PeriodEnd = s.PeriodEnd, period(l.anchor, l.n+1, price.Period)
	p.tell("customer.subscription.updated", "subscription", s.ID, "")
	p.bill(s, l, subscriptions.Invoice{
		Reason: subscriptions.Cycle, Total: price.Amount,
		Lines: []subscriptions.InvoiceLine{{PriceID: price.ID, Amount: price.Amount, PeriodStart: s.PeriodStart, PeriodEnd: s.PeriodEnd}},
	})
}

// bill makes an invoice and tries to charge it; the lock is held.
func (p *Provider) bill(s *sales.ProviderSubscription, l *life, i subscriptions.Invoice) {
	price, _ := p.byID(s.PriceID)
	i.ID, i.Currency, i.CreatedAt = p.id("in"), price.Currency, p.now().UTC()
	i.Status, i.Due = subscriptions.Open, i.Total
	i.FromBalance = min(l.credit, i.Total) // below 0 it is credited
	l.credit, i.Due = l.credit-i.FromBalance, i.Total-i.FromBalance
	i.Credit = l.credit
	l.invoices = append(l.invoices, i)
	p.charge(s, l, len(l.invoices)-1)
}

// charge tries to charge an invoice to what its subscription is charged to; the lock is held.
func (p *Provider) charge(s *sales.ProviderSubscription, l *life, at int) {
	i := &l.invoices[at]
	if !p.chargeTo(s, i, s.Charged()) {
		i.Attempts++
		i.NextAttempt = p.now().Add(retry).UTC()
		s.Status = "past_due"
		p.tell("customer.subscription.updated", "subscription", s.ID, "")
	}
}

// chargeTo tries to charge an invoice to a card, and says whether it was; the lock is held.
func (p *Provider) chargeTo(s *sales.ProviderSubscription, i *subscriptions.Invoice, card sales.Card) bool {
	if i.Due > 0 && i.Pending == "" {
		i.Pending = p.id("pi")
		p.payments[i.Pending] = &sales.Payment{ID: i.Pending, Customer: s.Customer, Amount: i.Due, Currency: i.Currency}
	}
	if i.Due > 0 {
		p.payments[i.Pending].Card = card
	}
	if i.Due > 0 && (card.ID == "" || p.declines[card.ID]) {
		p.tellInvoice("invoice.payment_failed", s.ID, i.ID)
		return false
	}
	i.Status, i.Charged, i.Due, i.NextAttempt = subscriptions.Paid, i.Due, 0, time.Time{}
	if i.Charged > 0 {
		p.payments[i.Pending].PaidBy = meansOf(card)
		i.Attempts++
		i.Payment, i.Pending = i.Pending, ""
		p.tell("charge.succeeded", "charge", "ch_"+i.Payment, i.Payment)
	}
	s.Status = "active"
	p.tellInvoice("invoice.paid", s.ID, i.ID)
	p.tell("customer.subscription.updated", "subscription", s.ID, "")
	return true
}

// Try charges what is owed once more, as the provider does from time to time.
func (p *Provider) Try(subscription string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	s, l := p.subs[subscription], p.lives[subscription]
	for at := range l.invoices {
		if l.invoices[at].Status == subscriptions.Open && s.EndedAt.IsZero() {
			p.charge(s, l, at)
		}
	}
}

// PaidByHand is somebody at the provider who notes that the last invoice was paid by other means.
func (p *Provider) PaidByHand(subscription string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	all := p.lives[subscription].invoices
	all[len(all)-1].Payment = ""
}

// Forget has the provider know nothing of a subscription any more.
func (p *Provider) Forget(subscription string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.subs, subscription)
}

// InvoicesOf are a subscription's, the oldest first.
func (p *Provider) InvoicesOf(subscription string) []subscriptions.Invoice {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.lives[subscription].invoices)
}

// prorate is what a change of price at a moment comes to, and the period that runs then; the lock is held.
func (p *Provider) prorate(s *sales.ProviderSubscription, price string, at time.Time) (subscriptions.Invoice, time.Time, time.Time, error) {
	from, _ := p.byID(s.PriceID)
	to, known := p.byID(price)
	if !known || !s.EndedAt.IsZero() || at.Before(s.PeriodStart) || at.After(s.PeriodEnd) {
		return subscriptions.Invoice{}, at, at, fmt.Errorf("change: %w", sales.ErrRefused)
	}
	left, whole := s.PeriodEnd.Sub(at), s.PeriodEnd.Sub(s.PeriodStart)
	starts, ends := s.PeriodStart, s.PeriodEnd
	lines := []subscriptions.InvoiceLine{
		{PriceID: from.ID, Amount: -share(from.Amount, left, whole), Proration: true, PeriodStart: at, PeriodEnd: s.PeriodEnd},
		{PriceID: to.ID, Amount: share(to.Amount, left, whole), Proration: true, PeriodStart: at, PeriodEnd: s.PeriodEnd},
	}
	if from.Period != to.Period {
		starts, ends = at, period(at, 1, to.Period)
		lines[1] = subscriptions.InvoiceLine{PriceID: to.ID, Amount: to.Amount, PeriodStart: starts, PeriodEnd: ends}
	}
	return subscriptions.Invoice{Reason: subscriptions.Change, Total: lines[0].Amount + lines[1].Amount, Lines: lines}, starts, ends, nil
}

// share of an amount for the time that is left, half a unit rounded up.
func share(amount int64, left, whole time.Duration) int64 {
	part := new(big.Int).Mul(big.NewInt(2*amount), big.NewInt(int64(left)))
	part.Add(part, big.NewInt(int64(whole)))
	return part.Div(part, big.NewInt(2*int64(whole))).Int64()
}
