package providertest

import (
	"context"
	"fmt"

	"serein.app/services/billing/internal/sales"
	"serein.app/services/billing/internal/subscriptions"
)

// newCard is one that is given now; the lock is held.
func (p *Provider) newCard(fingerprint string) sales.Card {
	id := p.id("pm")
	return sales.Card{ID: id, Brand: "visa", Last4: id[len(id)-4:], Fingerprint: fingerprint, GivenAt: p.now().UTC()}
}

// meansOf is what a payment that a card was charged for says it was paid by.
func meansOf(card sales.Card) sales.Means {
	return sales.Means{Kind: sales.CardPayment, Brand: card.Brand, Last4: card.Last4}
}

// Declines has the card that a subscription is charged to refused from now on, or charged again.
func (p *Provider) Declines(subscription string, declines bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.declines[p.subs[subscription].Charged().ID] = declines
}

// Give is a member who gives another card on the provider's page: it becomes the customer's, and charges nothing.
func (p *Provider) Give(subscription string, declines bool) sales.Card {
	p.mu.Lock()
	defer p.mu.Unlock()
	customer := p.subs[subscription].Customer
	card := p.newCard("given to " + customer)
	p.declines[card.ID] = declines
	p.given[customer] = card
	p.tell("customer.updated", "customer", customer, "")
	return card
}

// ChargeTo sets the card that the provider charges a subscription to, in place of the customer's card.
func (p *Provider) ChargeTo(_ context.Context, key, subscription, card string) error {
	_, err := call(p, "ChargeTo", key, func() (bool, error) {
		s, ok := p.subs[subscription]
		switch {
		case !ok:
			return false, sales.ErrNotFound
		case !s.EndedAt.IsZero() || p.given[s.Customer].ID != card:
			return false, fmt.Errorf("card: %w", sales.ErrRefused)
		}
		s.Card = p.given[s.Customer]
		p.tell("customer.subscription.updated", "subscription", s.ID, "")
		return true, nil
	})
	return err
}

// PayInvoice charges one that is open; a card that is refused is repeated to the key.
func (p *Provider) PayInvoice(_ context.Context, key, invoice, card string) error {
	declined, err := call(p, "PayInvoice", key, func() (bool, error) {
		for id, l := range p.lives {
			for at := range l.invoices {
				i, s := &l.invoices[at], p.subs[id]
				if i.ID == invoice && i.Status == subscriptions.Open {
					return !p.chargeTo(s, i, p.cardBy(s, card)), nil
				}
			}
		}
		return false, fmt.Errorf("pay: %w", sales.ErrRefused)
	})
	if err == nil && declined {
		err = fmt.Errorf("pay: %w", subscriptions.ErrDeclined)
	}
	return err
}

// cardBy is one of a customer's cards; the lock is held.
func (p *Provider) cardBy(s *sales.ProviderSubscription, id string) sales.Card {
	if given := p.given[s.Customer]; given.ID == id {
		return given
	}
	return s.Charged()
}
