package providertest

import (
	"context"
	"fmt"
	"slices"
	"time"

	"serein.app/services/billing/internal/sales"
	"serein.app/services/billing/internal/subscriptions"
)

// page is how many subscriptions are listed at once: few, so that tests have several pages.
const page = 3

type listing struct {
	subs []sales.ProviderSubscription
	more bool
}

// Subscriptions lists those that have not ended.
func (p *Provider) Subscriptions(_ context.Context, after string) ([]sales.ProviderSubscription, bool, error) {
	l, err := call(p, "Subscriptions", "", func() (listing, error) {
		var ids []string
		for id, s := range p.subs {
			if s.EndedAt.IsZero() && id > after {
				ids = append(ids, id)
			}
		}
		slices.Sort(ids)
		var found listing
		for _, id := range ids[:min(page, len(ids))] {
			found.subs = append(found.subs, *p.subs[id])
		}
		found.more = len(ids) > page
		return found, nil
	})
	return l.subs, l.more, err
}

// Invoices lists a subscription's.
func (p *Provider) Invoices(_ context.Context, subscription string, since time.Time) ([]subscriptions.Invoice, error) {
	return call(p, "Invoices", "", func() ([]subscriptions.Invoice, error) {
		var found []subscriptions.Invoice
		if l := p.lives[subscription]; l != nil {
			for _, i := range l.invoices {
				if !i.CreatedAt.Before(since) {
					found = append(found, i)
				}
			}
		}
		return found, nil
	})
}

// PreviewChange reckons as ChangePrice does.
func (p *Provider) PreviewChange(_ context.Context, subscription, price string, at time.Time) (subscriptions.Preview, error) {
	return call(p, "PreviewChange", "", func() (subscriptions.Preview, error) {
		s, ok := p.subs[subscription]
		if !ok {
			return subscriptions.Preview{}, sales.ErrNotFound
		}
		i, starts, ends, err := p.prorate(s, price, at)
		amount := i.Total
		if amount > 0 {
			amount -= min(p.lives[subscription].credit, amount)
		}
		had := p.lives[subscription].credit
		return subscriptions.Preview{
			Amount: amount, Currency: "gbp", Lines: i.Lines, Total: i.Total, Balance: -had, Credit: max(had-i.Total, 0), PeriodStart: starts, PeriodEnd: ends,
		}, err
	})
}

// ChangePrice changes at once, unless the card is refused, which it repeats to that key.
func (p *Provider) ChangePrice(_ context.Context, key, subscription, price string, at time.Time) (sales.ProviderSubscription, error) {
	return call(p, "ChangePrice", key, func() (sales.ProviderSubscription, error) {
		s, ok := p.subs[subscription]
		if !ok {
			return sales.ProviderSubscription{}, sales.ErrNotFound
		}
		l := p.lives[subscription]
		i, starts, ends, err := p.prorate(s, price, at)
		if err != nil {
			return sales.ProviderSubscription{}, err
		}
		if l.undo[key] || p.declines[s.Charged().ID] && i.Total > l.credit {
			if l.undo == nil {
				l.undo = map[string]bool{}
			}
			l.undo[key] = true
			return sales.ProviderSubscription{}, fmt.Errorf("change: %w", subscriptions.ErrDeclined)
		}
		if starts != s.PeriodStart {
			l.anchor, l.n = starts, 0
		}
		s.PriceID, s.PeriodStart, s.PeriodEnd = price, starts, ends
		p.bill(s, l, i)
		return *s, nil
	})
}

// CancelAtPeriodEnd sets or takes back the wish with its reason.
func (p *Provider) CancelAtPeriodEnd(
	_ context.Context, key, subscription string, cancel bool, why sales.CancelReason,
) (sales.ProviderSubscription, error) {
	return call(p, "CancelAtPeriodEnd", key, func() (sales.ProviderSubscription, error) {
		s, ok := p.subs[subscription]
		switch {
		case !ok:
			return sales.ProviderSubscription{}, sales.ErrNotFound
		case !s.EndedAt.IsZero():
			return sales.ProviderSubscription{}, fmt.Errorf("cancel: %w", sales.ErrRefused)
		}
		s.CancelAtPeriodEnd, s.CancelReason = cancel, why
		p.tell("customer.subscription.updated", "subscription", s.ID, "")
		return *s, nil
	})
}
