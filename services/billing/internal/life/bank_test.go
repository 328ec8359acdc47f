package life_test

import (
	"time"

	"serein.app/services/billing/internal/sales"
	"serein.app/services/billing/internal/subscriptions"
	"serein.app/services/testkit/paymentsandbox"
)

// smallest is the least that a card is charged; what is less waits in the balance.
const smallest = 30

// day is what notices and retries are counted in.
const day = 24 * time.Hour

// retries are the waits between the attempts to charge a period.
var retries = []time.Duration{3 * day, 5 * day, 7 * day}

// given is a card that a member has given at one time: the same number given again is another.
type given struct{ paymentsandbox.Card }

// customer is what the payment provider must have of a member, by what the member and we have asked for.
type customer struct {
	// given is the card that they gave last on the provider's page.
	given     *given
	balance   int64
	contracts []*contract
	payments  []*payment
}

// payment is money that was taken.
type payment struct {
	id               string
	amount, refunded int64
	disputed         bool
}

// returned is what of it went back, by us or by the bank.
func (p *payment) returned() int64 {
	if p.disputed {
		return p.amount
	}
	return p.refunded
}

// pays takes money; nothing is none of the provider's payments.
func (c *customer) pays(amount int64) *payment {
	p := &payment{amount: amount}
	if amount > 0 {
		c.payments = append(c.payments, p)
	}
	return p
}

// contract is a membership at the provider.
type contract struct {
	id                     string
	item                   sales.Item
	anchor                 time.Time
	periodStart, periodEnd time.Time
	periods                int
	cancelled, pastDue     bool
	why                    sales.CancelReason
	// card is what it is charged to, before is what the member had given already when it was bought.
	card, before     *given
	endedAt, retryAt time.Time
	// debit was charged last for the time until the period's end, from debitFrom on.
	debit     int64
	debitFrom time.Time
	bills     []*bill
}

// bill is an invoice.
type bill struct {
	reason subscriptions.InvoiceReason
	item   sales.Item
	// at is when what it charges for begins; whole says that it is for a whole period.
	created, at, periodEnd time.Time
	whole                  bool
	total, due             int64
	fromBalance            int64 // below 0 it is credited
	paid                   bool
	attempts               int
	payment                *payment
	// refused it last.
	refused *given
}

// later is the end of so many periods, by the calendar: a month without such a day ends with its last.
func later(anchor time.Time, item sales.Item, n int) time.Time {
	if item.Size == "year" {
		n *= 12
	}
	month := time.Date(anchor.Year(), anchor.Month()+time.Month(n), 1, 0, 0, 0, 0, time.UTC)
	last := month.AddDate(0, 1, 0).Add(-day).Day()
	return time.Date(month.Year(), month.Month(), min(anchor.Day(), last), anchor.Hour(), anchor.Minute(), anchor.Second(), 0, time.UTC)
}

// subscribe begins a membership whose first period is paid.
func (c *customer) subscribe(item sales.Item, card paymentsandbox.Card, now time.Time) *contract {
	made := &contract{
		card: &given{card}, before: c.given, item: item, anchor: now, periodStart: now, periodEnd: later(now, item, 1), periods: 1, debit: item.Amount, debitFrom: now,
	}
	c.contracts = append(c.contracts, made)
	first := &bill{reason: subscriptions.First, item: item, created: now, at: now, periodEnd: made.periodEnd, whole: true, total: item.Amount, paid: true}
	c.balances(first)
	first.payment = c.pays(first.due)
	made.bills = []*bill{first}
	return made
}

// pass lets what falls due until then happen.
func (c *customer) pass(now time.Time) {
	for _, held := range c.contracts {
		for at := held.due(); !at.IsZero() && !at.After(now); at = held.due() {
			c.act(held)
		}
	}
}

func (c *contract) due() time.Time {
	switch {
	case !c.endedAt.IsZero():
		return time.Time{}
	case !c.retryAt.IsZero() && c.retryAt.Before(c.periodEnd):
		return c.retryAt
	}
	return c.periodEnd
}

func (c *customer) act(held *contract) {
	switch {
	case !held.retryAt.IsZero() && !held.retryAt.After(held.periodEnd):
		c.collect(held, held.bills[len(held.bills)-1], held.retryAt)
	case held.cancelled:
		held.end(held.periodEnd)
	default:
		held.periods++
		held.periodStart, held.periodEnd = held.periodEnd, later(held.anchor, held.item, held.periods)
		held.debit, held.debitFrom = held.item.Amount, held.periodStart
		c.bill(held, &bill{
			reason: subscriptions.Cycle, item: held.item, created: held.periodStart, at: held.periodStart, periodEnd: held.periodEnd, whole: true, total: held.item.Amount,
		})
	}
}

func (c *contract) end(at time.Time) {
	c.endedAt, c.retryAt, c.pastDue = at, time.Time{}, false
}

// bill charges something, after what the balance gives or takes.
func (c *customer) bill(held *contract, b *bill) {
	c.balances(b)
	held.bills = append(held.bills, b)
	c.collect(held, b, b.created)
}

// balances has the balance go into a bill.
func (c *customer) balances(b *bill) {
	b.due, c.balance = c.dueOf(b.total)
	b.fromBalance = b.total - b.due
}

// creditedOf is what the bills after one have left of what they credited, which no other money paid for.
func (c *contract) creditedOf(own *bill) (left int64) {
	after := false
	for _, b := range c.bills {
		if after {
			left -= b.fromBalance
		}
		if after && b.payment != nil {
			left -= b.payment.amount
		}
		after = after || b == own
	}
	return min(left, own.payment.amount)
}

func (c *customer) dueOf(total int64) (due, left int64) {
	if sum := total + c.balance; sum >= smallest {
		return sum, 0
	}
	return 0, total + c.balance
}

func (g *given) declines() bool { return g.Card == paymentsandbox.FailsAtRenewal }

// wanted is the card that a membership is to be charged to: what was given for it last.
func (c *customer) wanted(held *contract) *given {
	if c.given == held.before {
		return held.card
	}
	return c.given
}

func (c *customer) collect(held *contract, b *bill, at time.Time) {
	held.retryAt = time.Time{}
	if c.tries(held, b) {
		return
	}
	b.attempts++
	held.pastDue = true
	if b.attempts <= len(retries) {
		held.retryAt = at.Add(retries[b.attempts-1])
	}
}

// tries says whether a bill's money came, or none was due.
func (c *customer) tries(held *contract, b *bill) bool {
	if b.due > 0 && held.card.declines() {
		b.refused = held.card
		return false
	}
	if b.due > 0 {
		b.payment = c.pays(b.due)
	}
	b.paid, held.pastDue, held.retryAt = true, false, time.Time{}
	return true
}

// gives gives another card, which charges nothing by itself.
func (c *customer) gives(card paymentsandbox.Card) { c.given = &given{card} }

// prorated is a part of an amount, to the second, half a penny up.
func prorated(amount int64, part, whole time.Duration) int64 {
	if whole <= 0 {
		return 0
	}
	p, w := int64(part/time.Second), int64(whole/time.Second)
	return (amount*p + w/2) / w
}

// changeOf is what changing a membership to that would charge, at a moment.
func (c *customer) changeOf(held *contract, to sales.Item, at, now time.Time) *bill {
	credit := prorated(held.debit, held.periodEnd.Sub(at), held.periodEnd.Sub(held.debitFrom))
	b := &bill{reason: subscriptions.Change, item: to, created: now, at: at, periodEnd: held.periodEnd}
	charged := prorated(to.Amount, held.periodEnd.Sub(at), held.periodEnd.Sub(held.periodStart))
	if to.Size != held.item.Size {
		charged, b.whole, b.periodEnd = to.Amount, true, later(now, to, 1)
	}
	b.total = charged - credit
	return b
}

// change changes a membership; false where the card is not charged.
func (c *customer) change(held *contract, to sales.Item, at, now time.Time) bool {
	b := c.changeOf(held, to, at, now)
	if due, _ := c.dueOf(b.total); due > 0 && held.card.declines() {
		return false
	}
	charged := prorated(to.Amount, held.periodEnd.Sub(at), held.periodEnd.Sub(held.periodStart))
	if b.whole {
		charged, held.anchor, held.periods, held.periodStart, held.periodEnd = to.Amount, now, 1, now, b.periodEnd
		held.debitFrom = now
	} else {
		held.debitFrom = at
	}
	held.item, held.debit = to, charged
	c.bill(held, b)
	return true
}

// took is what the provider has of a member in the end.
func (c *customer) took() (sum int64) {
	for _, p := range c.payments {
		sum += p.amount - p.returned()
	}
	return sum
}
