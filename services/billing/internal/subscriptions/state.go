package subscriptions

import (
	"time"

	"github.com/google/uuid"

	"serein.app/services/billing/internal/plans"
	"serein.app/services/billing/internal/sales"
)

// Edges are the changes of status that a member's plan may make; the database enforces the same. An ended plan stays ended: the member buys
// another, or an operator begins it. A membership starts as cancelling if the member cancelled it before billing learnt of its first
// payment. It moves between cancelling and grace if billing learns of a payment and a cancellation at once.
var Edges = map[plans.Status][]plans.Status{
	plans.OnTrial:    {plans.Active, plans.Cancelling, plans.Ended},
	plans.Active:     {plans.Cancelling, plans.InGrace, plans.Ended},
	plans.Cancelling: {plans.Active, plans.InGrace, plans.Ended},
	plans.InGrace:    {plans.Active, plans.Cancelling, plans.Ended},
	plans.Ended:      {plans.OnTrial, plans.Active, plans.Cancelling},
}

// EndReason says why a membership has ended, as events name it.
type EndReason string

// The reasons.
const (
	Cancelled EndReason = "cancelled" // with its period, as the member wished
	Unpaid    EndReason = "unpaid"    // the grace is over
	Refunded  EndReason = "refund"    // its money went back
	Operator  EndReason = "operator"  // at the provider's pages, or by an admin
	// AccountDeleted: billing publishes no event with this reason, since the account is gone.
	AccountDeleted EndReason = "account_deleted"
)

// State is a member's plan as it is kept.
type State struct {
	UID uuid.UUID
	// ID is the provider's; empty for the trial.
	ID               string
	PlanID, PlanName string
	// Period is "month" or "year"; empty for the trial.
	Period  string
	PriceID string
	// Amount in minor units of Currency is what one period costs, Credits what the one that runs gave.
	Amount   int64
	Currency string
	Credits  int64
	// StartsAt and EndsAt are of the trial, or of the last period that was paid.
	StartsAt, EndsAt time.Time
	// Renews: the next period will be charged.
	Renews bool
	// FailedAt is when the payment of the next period failed first, NextAttempt when it is tried again; zero where none has.
	FailedAt, NextAttempt time.Time
	// Notices of a failed payment that were given or passed over; for the trial 1 once it was told that it ends soon.
	Notices int32
	// Card is what it is charged to, as it was read last, which CardRead says: it may be none, or have no digits. Given is the card of the
	// customer's that was taken over last.
	Card     sales.Card
	CardRead bool
	Given    string
	// Reopened: its money had gone back and is ours again, so that it is open until its period's end though it has ended at the provider.
	Reopened bool
	// EndedAt is zero while it runs.
	EndedAt time.Time
	Reason  EndReason
	// DueAt is when it is looked at next; zero once it is over.
	DueAt time.Time
	// Revision rises with every change.
	Revision int64
	// Departed: the account is deleted.
	Departed bool
	// Replaced: the member has another plan by now, and of this one nothing but late payments is looked at.
	Replaced bool
}

// Paid says that it is paid every period.
func (s State) Paid() bool { return s.ID != "" }

// Over says that it has ended for good.
func (s State) Over() bool { return !s.EndedAt.IsZero() }

// running says that the provider may charge for it.
func (s State) running() bool {
	return s.Paid() && !s.Over() && !s.Replaced && !s.Departed && !s.Reopened
}

// AccessUntil is when its entitlements end if nothing is paid any more.
func (s State) AccessUntil() time.Time { return s.facts().AccessUntil() }

// Status is where it stands at that moment.
func (s State) Status(at time.Time) plans.Status { return s.facts().Status(at) }

func (s State) facts() plans.Subscription {
	f := plans.Subscription{EndsAt: s.EndsAt, Renews: s.Renews, PaymentFailedAt: s.FailedAt, EndedAt: s.EndedAt}
	if s.Paid() {
		f.Period = s.Period
	}
	return f
}

// utc is the same with all of its moments as the database gives them, so that two that are the same compare so.
func (s State) utc() State {
	for _, at := range []*time.Time{&s.StartsAt, &s.EndsAt, &s.FailedAt, &s.NextAttempt, &s.EndedAt, &s.DueAt} {
		if !at.IsZero() {
			*at = at.UTC().Truncate(time.Microsecond)
		}
	}
	return s
}
