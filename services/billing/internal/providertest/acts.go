package providertest

import (
	"encoding/json"
	"slices"

	"serein.app/services/billing/internal/sales"
	"serein.app/services/billing/internal/subscriptions"
)

// Pay is a member who pays on the provider's page: the six events of a purchase follow.
func (p *Provider) Pay(session string) sales.Session {
	p.mu.Lock()
	defer p.mu.Unlock()
	s := p.sessions[session]
	if s.State != sales.SessionOpen {
		return *s
	}
	s.State, s.Paid = sales.SessionComplete, true
	if n := p.asked[session]; n.Delivery {
		s.Address = &sales.Address{Name: "Ada Łukasz", Line1: "1 Mill Lane", City: "Bath", PostalCode: "BA1 1AA", Country: "GB"}
	}
	card := p.newCard(p.cardOf(s.UID, s.Customer))
	pay := &sales.Payment{Customer: s.Customer, Amount: s.Amount, Currency: s.Currency, Card: card}
	if s.Amount > 0 {
		s.Payment = p.id("pi")
		pay.ID, p.payments[s.Payment] = s.Payment, pay
		p.tell("payment_intent.succeeded", "payment_intent", s.Payment, "")
		p.tell("charge.succeeded", "charge", "ch_"+s.Payment, s.Payment)
	}
	if p.asked[session].Subscription {
		price, _ := p.byID(s.Lines[0].PriceID)
		starts := p.now().UTC()
		ends := period(starts, 1, price.Period)
		sub := &sales.ProviderSubscription{
			ID: p.id("sub"), Customer: s.Customer, UID: s.UID, Status: "active", PriceID: price.ID, CreatedAt: starts, PeriodStart: starts, PeriodEnd: ends,
			Card: card,
		}
		first := p.id("in")
		s.Subscription = sub.ID
		p.subs[sub.ID] = sub
		p.lives[sub.ID] = &life{anchor: starts, invoices: []subscriptions.Invoice{{
			ID: first, Status: subscriptions.Paid, Reason: subscriptions.First, Total: s.Amount, Charged: s.Amount, Currency: s.Currency,
			Payment: s.Payment, CreatedAt: starts,
			Lines: []subscriptions.InvoiceLine{{PriceID: price.ID, Amount: s.Amount, PeriodStart: starts, PeriodEnd: ends}},
		}}}
		p.tell("customer.subscription.created", "subscription", sub.ID, "")
		p.tellInvoice("invoice.paid", sub.ID, first)
		p.tell("customer.subscription.updated", "subscription", sub.ID, "")
	}
	p.tell("checkout.session.completed", "checkout.session", s.ID, "")
	return *s
}

// PayBy is a member who pays with that card from now on, and not with one of their own.
func (p *Provider) PayBy(uid, fingerprint string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.cards[uid] = fingerprint
}

// cardOf is what a member pays by.
func (p *Provider) cardOf(uid, customer string) string {
	if card := p.cards[uid]; card != "" {
		return card
	}
	return "card of " + customer
}

// Discount is a member who types a promotion code on the provider's page.
func (p *Provider) Discount(session string, amount int64) {
	p.Change(session, func(s *sales.Session) {
		s.Discount += amount
		s.Amount -= amount
	})
}

// Change changes a session as no member could: for what does not match.
func (p *Provider) Change(session string, change func(*sales.Session)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	change(p.sessions[session])
}

// ChangeSubscription changes a subscription likewise.
func (p *Provider) ChangeSubscription(id string, change func(*sales.ProviderSubscription)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	change(p.subs[id])
}

// GiveBack is an operator who refunds part of a payment at the provider's pages, or a bank that disputes it.
func (p *Provider) GiveBack(payment string, amount int64, disputed bool) sales.Event {
	p.mu.Lock()
	defer p.mu.Unlock()
	pay := p.payments[payment]
	pay.Refunded += amount
	pay.Disputed = pay.Disputed || disputed
	if disputed {
		p.tell("charge.dispute.created", "dispute", "dp_"+payment, payment)
	} else {
		p.tell("charge.refunded", "charge", "ch_"+payment, payment)
	}
	return p.events[len(p.events)-1]
}

// Told are the events since the beginning.
func (p *Provider) Told() []sales.Event {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.events)
}

// Payload of an event's webhook.
func Payload(e sales.Event) []byte {
	body, err := json.Marshal(e)
	if err != nil {
		panic(err) // it is plain data
	}
	return body
}

// Ended says whether a subscription is charged no more.
func (p *Provider) Ended(subscription string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return !p.subs[subscription].EndedAt.IsZero()
}

// Refunded is how much of a payment went back.
func (p *Provider) Refunded(payment string) int64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.payments[payment].Refunded
}

// Knows says whether it still has a customer of that uid.
func (p *Provider) Knows(uid string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.customers[uid] != ""
}

// Contact is what is known of a member's customer.
func (p *Provider) Contact(uid string) sales.Customer {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.contacts[p.customers[uid]]
}

// Delete is an operator who deletes a member's customer at the provider's pages. It is still found, as new ones are not at once.
func (p *Provider) Delete(uid string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.deleted[p.customers[uid]] = true
}

// Sessions is how many checkouts were opened.
func (p *Provider) Sessions() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.sessions)
}

// ChangePayment changes a payment as no member could.
func (p *Provider) ChangePayment(id string, change func(*sales.Payment)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	change(p.payments[id])
}
