package subscriptions

import (
	"time"

	"serein.app/services/billing/internal/sales"
)

// Told is what the provider says of a membership.
type Told struct {
	Subscription sales.ProviderSubscription
	// Invoices that were made since the last paid period began, the oldest first.
	Invoices []Invoice
	// Items are what is sold, by the provider's ids of their prices.
	Items map[string]sales.Item
}

// Kind is what has happened to a plan.
type Kind string

// The kinds.
const (
	Renewed               Kind = "renewed"
	Changed               Kind = "changed"
	Failed                Kind = "failed" // or a further notice of it
	CancellationScheduled Kind = "cancellation_scheduled"
	Reactivated           Kind = "reactivated"
	HasEnded              Kind = "ended"
	TrialEnding           Kind = "trial_ending"
	TrialEnded            Kind = "trial_ended"
)

// Happening is one thing that has happened to a plan. Which fields are set is its kind's.
type Happening struct {
	Kind Kind
	// Invoice that paid for it; empty where none did.
	Invoice string
	// Notice of a payment that failed: 1, 2 or 3; Amount is what is due, for a change what it came to.
	Notice int32
	Amount int64
	// At is the moment of a change, From what the plan was before it; Returned and Given are the credits of both.
	At              time.Time
	From            State
	Returned, Given int64
	// Credit is what a change leaves for the next payments; below 0 what it leaves to be paid with them.
	Credit int64
	// Cost is what the plan that was changed to costs for its time, Unused what was paid for the one before and not used. Both are 0 where
	// Amount is not the one less the other.
	Cost, Unused int64
	// Why a cancellation was asked for.
	Why sales.CancelReason
	// AtProvider: it has to be ended there as well.
	AtProvider bool
}

// Next is what a membership becomes by what the provider says now, and by the clock; with what has happened on the way there. It
// depends on nothing else, so it does not matter what of it was told before, or how often.
func Next(s State, told Told, now time.Time) (State, []Happening) {
	if !s.Paid() || s.Over() || s.Replaced {
		return s, nil
	}
	n := &next{State: s, told: told, now: now}
	n.know()
	n.change()
	n.renew()
	n.fail()
	n.wish()
	n.end()
	n.remind()
	n.DueAt = n.due()
	return n.State.utc(), n.happened
}

type next struct {
	State
	told     Told
	now      time.Time
	happened []Happening
}

func (n *next) add(h Happening) { n.happened = append(n.happened, h) }

// know fills in what it is charged to; and what a period costs and gives, where the release before this one has begun it.
func (n *next) know() {
	n.keep(n.told.Subscription)
	if item, known := n.told.Items[n.PriceID]; known && n.Currency == "" {
		n.Amount, n.Currency, n.Credits = item.Amount, item.Currency, item.Credits
	}
}

// change takes over another price that the provider has.
func (n *next) change() {
	sub := n.told.Subscription
	item, known := n.told.Items[sub.PriceID]
	if sub.PriceID == n.PriceID || !known {
		return
	}
	h := Happening{Kind: Changed, At: n.now.Truncate(time.Second), From: n.State}
	invoice, found := n.told.changeTo(sub.PriceID)
	if found {
		h.Invoice, h.Amount, h.At, h.Credit = invoice.ID, invoice.Charged, invoice.moment(), invoice.Credit
		if invoice.Total < 0 {
			h.Amount = invoice.Total
		}
		if cost, unused := invoice.parts(sub.PriceID, n.PriceID); cost-unused == h.Amount {
			h.Cost, h.Unused = cost, unused
		}
	}
	from := n.State
	n.PlanID, n.PlanName, n.Period, n.PriceID = item.ProductID, item.Name, item.Size, sub.PriceID
	n.Amount, n.Currency, n.Credits = item.Amount, item.Currency, item.Credits
	if n.Period != from.Period {
		n.StartsAt, n.EndsAt = sub.PeriodStart, sub.PeriodEnd
		if line, full := invoice.period(); full {
			n.StartsAt, n.EndsAt = line.PeriodStart, line.PeriodEnd
		}
	}
	h.Returned, h.Given = changeCredits(from, item, h.At)
	n.add(h)
}

// renew moves on to the last period that is paid.
func (n *next) renew() {
	invoice, line, ok := n.told.renewal(n.EndsAt)
	if !ok || n.Departed {
		return
	}
	n.StartsAt, n.EndsAt = line.PeriodStart, line.PeriodEnd
	n.FailedAt, n.NextAttempt, n.Notices = time.Time{}, time.Time{}, 0
	if item, known := n.told.Items[n.PriceID]; known {
		n.Amount, n.Currency, n.Credits = item.Amount, item.Currency, item.Credits
	}
	n.add(Happening{Kind: Renewed, Invoice: invoice.ID})
}

// unpaid says that the provider is in a period that is not paid yet.
func (n *next) unpaid() bool { return n.told.Subscription.PeriodEnd.After(n.EndsAt) }

// fail begins the grace, or notes when the payment is tried again.
func (n *next) fail() {
	invoice, found := n.told.owed(n.EndsAt)
	status := n.told.Subscription.Status
	failing := status == "past_due" || status == "unpaid" || found && (invoice.Attempts > 0 || invoice.Status == Uncollectible)
	if !n.unpaid() || !failing || !n.Renews {
		return
	}
	n.NextAttempt = invoice.NextAttempt
	if !n.FailedAt.IsZero() {
		return
	}
	n.FailedAt, n.Notices = n.now, max(n.noticesDue(n.now), 1)
	n.add(Happening{Kind: Failed, Notice: 1, Amount: n.owes(invoice)})
}

func (n *next) owes(invoice Invoice) int64 {
	if invoice.ID == "" {
		return n.Amount
	}
	return invoice.Due
}

// wish takes over that the member has cancelled or kept the membership. If the running period is unpaid, cancelling ends the membership at
// once: its paid period is over, and the provider charges no other.
func (n *next) wish() {
	sub := n.told.Subscription
	switch {
	case !sub.EndedAt.IsZero():
	case sub.CancelAtPeriodEnd && n.Renews && n.unpaid():
		n.over(n.now, Cancelled, true)
	case sub.CancelAtPeriodEnd && n.Renews:
		n.Renews, n.FailedAt, n.NextAttempt = false, time.Time{}, time.Time{}
		n.add(Happening{Kind: CancellationScheduled, Why: sub.CancelReason})
	case !sub.CancelAtPeriodEnd && !n.Renews:
		n.Renews = true
		n.add(Happening{Kind: Reactivated})
	}
}

// end ends what is over, at the provider or by the clock.
func (n *next) end() {
	sub := n.told.Subscription
	switch {
	case n.Over():
	case !sub.EndedAt.IsZero() && !n.Reopened:
		n.over(sub.EndedAt, n.reason(), false)
	case !n.Renews && !n.now.Before(n.EndsAt):
		n.over(n.EndsAt, Cancelled, true)
	case n.Renews && !n.now.Before(n.AccessUntil()):
		n.over(n.AccessUntil(), Unpaid, true)
	}
}

// reason is why the provider has ended it.
func (n *next) reason() EndReason {
	switch {
	case !n.Renews || n.told.Subscription.CancelAtPeriodEnd:
		return Cancelled
	case !n.FailedAt.IsZero() || n.unpaid():
		return Unpaid
	}
	return Operator
}

func (n *next) over(at time.Time, why EndReason, atProvider bool) {
	n.EndedAt, n.Reason, n.Renews = at, why, false
	n.FailedAt, n.NextAttempt = time.Time{}, time.Time{}
	if at.Before(n.EndsAt) {
		n.EndsAt = at
	}
	if !n.EndsAt.After(n.StartsAt) {
		n.EndsAt = n.StartsAt.Add(time.Microsecond)
	}
	n.add(Happening{Kind: HasEnded, AtProvider: atProvider})
}
