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
		pay.ID, pay.PaidBy, p.payments[s.Payment] = s.Payment, meansOf(card), pay
		p.tell("payment_intent.succeeded", "payment_intent", s.Payment, "")
		p.tell("charge.succeeded", "charge", "ch_"+s.Payment, s.Payment)
	}
	if !p.asked[session].Subscription {
		s.PaidBy = pay.PaidBy
	} else {
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

// Redeem is Discount by a code that one member may use so often; 0 for as often as they like.
func (p *Provider) Redeem(session, code string, amount, perMember int64) {
	p.Discount(session, amount)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.sessions[session].Code, p.codes[code] = code, perMember
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

// GiveBack is an operator who refunds part of a payment at the provider's pages, or a bank that takes it; of a bank 0 is all that is left.
func (p *Provider) GiveBack(payment string, amount int64, disputed bool) sales.Event {
	p.mu.Lock()
	defer p.mu.Unlock()
	pay := p.payments[payment]
	if disputed {
		if amount == 0 {
			amount = pay.Amount - pay.Refunded
		}
		return p.dispute(pay, sales.Dispute{ID: "dp_" + payment, Status: sales.DisputeNeedsResponse, Amount: amount, Withdrawn: true})
	}
	pay.Refunded += amount
	p.tell("charge.refunded", "charge", "ch_"+payment, payment)
	return p.events[len(p.events)-1]
}

// Inquire is a bank that asks about a payment, and takes nothing.
func (p *Provider) Inquire(payment string) sales.Event {
	p.mu.Lock()
	defer p.mu.Unlock()
	pay := p.payments[payment]
	return p.dispute(pay, sales.Dispute{ID: "dp_" + payment, Status: sales.InquiryNeedsResponse, Amount: pay.Amount})
}

// dispute begins one; the lock is held.
func (p *Provider) dispute(pay *sales.Payment, d sales.Dispute) sales.Event {
	pay.Disputes = append(slices.Clone(pay.Disputes), d)
	p.tell("charge.dispute.created", "dispute", d.ID, pay.ID)
	return p.events[len(p.events)-1]
}

// Decide is a bank that goes on with the last dispute of a payment; what is won is put back.
func (p *Provider) Decide(payment string, status sales.DisputeStatus) sales.Event {
	p.mu.Lock()
	defer p.mu.Unlock()
	pay := p.payments[payment]
	pay.Disputes = slices.Clone(pay.Disputes)
	d := &pay.Disputes[len(pay.Disputes)-1]
	d.Status = status
	d.Withdrawn = d.Takes() > 0 || status == sales.DisputeNeedsResponse || status == sales.DisputeLost
	p.tell("charge.dispute.closed", "dispute", d.ID, payment)
	return p.events[len(p.events)-1]
}

// FailRefund is a bank that sends a refund of that amount back.
func (p *Provider) FailRefund(payment string, amount int64) sales.Event {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.payments[payment].Refunded -= amount
	p.tell("refund.failed", "refund", "re_"+payment, payment)
	return p.events[len(p.events)-1]
}

// PayLater is a member who pays by a method whose money comes days later, or not: Arrive says which.
func (p *Provider) PayLater(session string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	s := p.sessions[session]
	s.State, s.PaymentState = sales.SessionComplete, sales.PaymentProcessing
	p.tell("checkout.session.completed", "checkout.session", s.ID, "")
}

// Arrive has that money come, or fail.
func (p *Provider) Arrive(session string, comes bool) sales.Event {
	p.mu.Lock()
	defer p.mu.Unlock()
	s := p.sessions[session]
	if !comes {
		s.PaymentState = sales.PaymentUnpaid
		p.tell("checkout.session.async_payment_failed", "checkout.session", s.ID, "")
		return p.events[len(p.events)-1]
	}
	s.Paid, s.PaymentState, s.Payment = true, "", p.id("pi")
	p.payments[s.Payment] = &sales.Payment{ID: s.Payment, Customer: s.Customer, Amount: s.Amount, Currency: s.Currency}
	p.tell("checkout.session.async_payment_succeeded", "checkout.session", s.ID, "")
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

// Refunded is how much of a payment went back by refunds.
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
