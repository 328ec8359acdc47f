package life_test

import (
	"fmt"
	"time"

	"github.com/google/uuid"

	"serein.app/services/billing/internal/plans"
	"serein.app/services/billing/internal/sales"
	"serein.app/services/billing/internal/subscriptions"
	"serein.app/services/testkit/paymentsandbox"
)

// member is what billing must know of one member, by the rules alone: what it has seen so far of what the provider has.
type member struct {
	uid     uuid.UUID
	mailbox []byte
	customer
	purse
	plan   *plan
	orders []*order
	// failures are the renewals that failed, by membership and period.
	failures map[string]bool
	// waiting is the order that was paid and whose event has not been delivered yet.
	waiting *order
	// cards are what memberships were paid with; by is who invited the member.
	cards map[paymentsandbox.Card]bool
	by    *member
	// reward is of the member's first paid membership, and rewards are of the friends'.
	reward  *reward
	rewards []*reward
}

// plan is the trial, or the membership as it was seen last.
type plan struct {
	of                            *contract // nil for the trial
	item                          sales.Item
	credits                       int64
	start, ends, failedAt, overAt time.Time
	renews                        bool
	notices                       int32
	reason                        subscriptions.EndReason
	// card is what it was charged to when it was seen last.
	card *given
}

// order is what was paid once.
type order struct {
	id      uuid.UUID
	cause   sales.Cause
	of      *contract // of a membership
	bill    *bill
	payment *payment
	at      time.Time // when the period that it paid for begins
	credits int64
	pack    bool
	// returning: it was not given, and goes back.
	returning bool
	charged   int64
	refunded  int64
	// balanced: the balance was changed for it.
	balanced bool
	card     paymentsandbox.Card
}

func (p *plan) paid() bool { return p.of != nil }
func (p *plan) over() bool { return !p.overAt.IsZero() }

func (p *plan) accessUntil() time.Time {
	if p.paid() && !p.over() && p.renews {
		return p.ends.Add(14 * day)
	}
	return p.ends
}

func (p *plan) status(now time.Time) plans.Status {
	switch {
	case p.over() || !now.Before(p.accessUntil()):
		return plans.Ended
	case !p.paid():
		return plans.OnTrial
	case !p.renews:
		return plans.Cancelling
	case !p.failedAt.IsZero():
		return plans.InGrace
	}
	return plans.Active
}

// holdsOne says whether a paid membership gives access, as far as is known: one that ends in the moment in which it began, a microsecond more.
func (m *member) holdsOne(now time.Time) bool {
	return m.plan != nil && m.plan.paid() && now.Before(m.plan.accessUntil())
}

// begins gives a paid order.
func (m *member) begins(o *order, now time.Time) {
	m.orders = append(m.orders, o)
	if o.pack {
		m.settle(now)
		m.topUp += o.credits
		return
	}
	c := o.of
	o.at = c.periodStart
	m.plan = &plan{of: c, item: o.bill.item, credits: o.credits, start: c.periodStart, ends: c.periodEnd, renews: !c.cancelled, card: c.card}
	if until := m.plan.accessUntil(); until.After(now) {
		m.give(periodCause(c, c.periodStart), c, o.credits, until, now)
	}
	m.paidFor(o, now)
}

func periodCause(c *contract, start time.Time) string { return fmt.Sprint(c.id, ":", start.Unix()) }

// tick is what time does to a trial.
func (m *member) tick(now time.Time) {
	p := m.plan
	if p == nil || p.paid() || p.over() {
		return
	}
	switch {
	case !now.Before(p.ends):
		p.overAt = p.ends
	case !now.Before(p.ends.Add(-2 * day)):
		p.notices = 1
	}
}

// sees takes over what the provider has of a membership now, and gives the orders that come of it.
func (m *member) sees(c *contract, now time.Time) []*order {
	from := c.bills[0].at
	change := changed{}
	until := from // what another has replaced pays for nothing any more
	if m.plan != nil && m.plan.of == c {
		from = m.plan.start
		if !m.plan.over() {
			change = m.follow(c, now)
		}
		until = m.plan.ends
	}
	var made []*order
	for _, b := range c.bills {
		if b.reason == subscriptions.First || b.payment == nil || b.created.Before(from.Add(-time.Hour)) || m.has(b) {
			continue
		}
		o := &order{cause: sales.Renewal, of: c, bill: b, payment: b.payment, at: b.at, credits: b.item.Credits, charged: b.payment.amount}
		if b.reason == subscriptions.Change {
			o.cause, o.credits = sales.PlanChange, 0
			if b == change.bill {
				o.credits = max(change.given-change.returned, 0)
			}
			if b.whole {
				o.at = b.created
			}
		}
		o.returning = !o.at.Before(until)
		made = append(made, o)
	}
	m.orders = append(m.orders, made...)
	for _, o := range made {
		o.card = c.card.Card
		if !o.returning {
			m.paidFor(o, now)
		}
	}
	return made
}

func (m *member) has(b *bill) bool {
	for _, o := range m.orders {
		if o.bill == b {
			return true
		}
	}
	return false
}

// changed is a change of plan that was seen.
type changed struct {
	bill            *bill
	returned, given int64
}

// follow moves the plan on. What comes of it for the credits is by where it has come to in the end.
func (m *member) follow(c *contract, now time.Time) (change changed) {
	p := m.plan
	p.card = c.card
	var effects []func()
	if p.item.PriceID != c.item.PriceID {
		change = m.changes(c)
		effects = append(effects, func() {
			if p.accessUntil().After(now) {
				m.purse.change(fmt.Sprint("change:", c.id, ":", len(c.bills)), c, change.returned, change.given, p.accessUntil(), now)
			}
		})
	}
	if b := c.lastPaid(p.ends); b != nil {
		p.start, p.ends, p.failedAt, p.notices, p.credits = b.at, b.periodEnd, time.Time{}, 0, p.item.Credits
		effects = append(effects, func() {
			if p.accessUntil().After(now) && !p.over() {
				m.give(periodCause(c, p.start), c, p.credits, p.accessUntil(), now)
			}
		})
	}
	unpaid := c.periodEnd.After(p.ends)
	owed := c.owed(p.ends)
	if unpaid && p.renews && p.failedAt.IsZero() && (c.pastDue || owed != nil && owed.attempts > 0) {
		p.failedAt = now
		m.failures[periodCause(c, p.ends)] = true
		p.notices = max(p.noticesDue(now), 1)
	}
	moves := func() { m.move(c, p.accessUntil(), now) }
	switch {
	case !c.endedAt.IsZero():
	case c.cancelled && p.renews && unpaid:
		p.ended(now, subscriptions.Cancelled)
	case c.cancelled && p.renews:
		p.renews, p.failedAt = false, time.Time{}
		effects = append(effects, moves)
	case !c.cancelled && !p.renews && !p.over():
		p.renews = true
		effects = append(effects, moves)
	}
	switch {
	case p.over():
	case !c.endedAt.IsZero():
		reason := subscriptions.Operator
		if !p.renews || c.cancelled {
			reason = subscriptions.Cancelled
		}
		p.ended(c.endedAt, reason)
	case !p.renews && !now.Before(p.ends):
		p.ended(p.ends, subscriptions.Cancelled)
	case p.renews && !now.Before(p.accessUntil()):
		p.ended(p.accessUntil(), subscriptions.Unpaid)
	}
	if !p.failedAt.IsZero() {
		p.notices = max(p.notices, p.noticesDue(now))
	}
	for _, effect := range effects {
		effect()
	}
	if p.over() {
		m.move(c, now, now)
	}
	return change
}

// left is how many seconds of a period a change at that moment is for: in its first hour all of them.
func (p *plan) left(at time.Time) int64 {
	whole := int64(p.ends.Sub(p.start) / time.Second)
	if at.Sub(p.start) < time.Hour {
		return whole
	}
	return max(min(int64(p.ends.Sub(at)/time.Second), whole), 0)
}

// changes takes another price over.
func (m *member) changes(c *contract) changed {
	p := m.plan
	var b *bill
	for _, found := range c.bills {
		if found.reason == subscriptions.Change {
			b = found
		}
	}
	whole := int64(p.ends.Sub(p.start) / time.Second)
	left := p.left(b.at)
	change := changed{bill: b, returned: (p.credits*left + whole - 1) / whole, given: c.item.Credits}
	if p.item.Size == c.item.Size {
		change.given = c.item.Credits * left / whole
	} else {
		p.start, p.ends = b.created, b.periodEnd
	}
	p.item, p.credits = c.item, c.item.Credits
	return change
}

// lastPaid is the paid bill of the last period that begins then or later.
func (c *contract) lastPaid(after time.Time) (found *bill) {
	for _, b := range c.bills {
		if b.reason == subscriptions.Cycle && b.paid && !b.at.Before(after) {
			found, after = b, b.periodEnd
		}
	}
	return found
}

func (c *contract) owed(after time.Time) (found *bill) {
	for _, b := range c.bills {
		if b.reason == subscriptions.Cycle && !b.paid && b.periodEnd.After(after) {
			found = b
		}
	}
	return found
}

func (p *plan) noticesDue(now time.Time) int32 {
	switch {
	case !now.Before(p.accessUntil().Add(-2 * day)):
		return 3
	case !now.Before(p.failedAt.Add(7 * day)):
		return 2
	}
	return 0
}

func (p *plan) ended(at time.Time, why subscriptions.EndReason) {
	p.overAt, p.reason, p.renews, p.failedAt = at, why, false, time.Time{}
	if at.Before(p.ends) {
		p.ends = at
	}
	if !p.ends.After(p.start) {
		p.ends = p.start.Add(time.Microsecond)
	}
}

// notes takes over what of an order's money has gone back, and takes its credits.
func (m *member) notes(o *order, now time.Time) {
	before, returned := o.refunded, o.payment.returned()
	if returned <= before {
		return
	}
	o.refunded = returned
	if o.returning {
		return
	}
	share := o.credits*returned/o.charged - o.credits*before/o.charged
	runs := o.of != nil && m.plan.of == o.of && !m.plan.over() && !o.at.Before(m.plan.start)
	switch {
	case o.pack:
		m.takeTopUp(share, now)
	case runs:
		m.takePlan(o.of, share, now)
	}
	if o.payment.refunded == o.charged { // what a bank disputes takes no reward
		m.givesBack(o, now)
	}
	if runs && returned == o.charged && o.at.Equal(m.plan.start) {
		m.plan.ended(now, subscriptions.Refunded)
		m.move(o.of, now, now)
	}
}
