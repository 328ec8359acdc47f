package plans

import "time"

// Grace is how long what renews stays open after its paid period: the provider bills some time after the period's end, and a
// payment that failed has so long to be mended. In days of 24 hours; the database holds the same.
const Grace = 14 * Day

// Status is where a member's plan stands.
type Status string

// The statuses.
const (
	OnTrial    Status = "trial"
	Active     Status = "active"
	Cancelling Status = "cancelling" // paid, and ends with its period
	InGrace    Status = "grace"      // the payment of the next period failed
	Ended      Status = "ended"
)

// Subscription is the plan a member has.
type Subscription struct {
	PlanID, PlanName, PlanDescription string
	PlanKind                          Kind
	// StartsAt and EndsAt are of the trial, or of the last period that was paid.
	StartsAt, EndsAt time.Time

	// PlanEntitlements are the plan's; Entitlements says which hold.
	PlanEntitlements []string
	// Period is "month" or "year" for what is paid every period; empty for the trial.
	Period string
	// PriceID, Amount (in minor units of Currency) and PeriodCredits are what one period costs and gives; empty for the trial.
	PriceID       string
	Amount        int64
	Currency      string
	PeriodCredits int64
	// GrantedCredits are what the plan credits that run were at first: a period's, the trial's, or what a change left. 0 where none run.
	GrantedCredits int64
	// Renews: the next period is charged when this one ends.
	Renews bool
	// HadTrial: the member has had their trial, be it this subscription or one before.
	HadTrial bool
	// PaymentFailedAt is when the payment of the next period failed first, NextAttempt when it is tried again, EndedAt when it
	// was over; each zero where it has not come to that.
	PaymentFailedAt, NextAttempt, EndedAt time.Time
}

// Paid says that it is paid every period.
func (s Subscription) Paid() bool { return s.Period != "" }

// AccessUntil is when its entitlements end if nothing is paid any more.
func (s Subscription) AccessUntil() time.Time {
	if s.EndedAt.IsZero() && s.Paid() && s.Renews {
		return s.EndsAt.Add(Grace)
	}
	return s.EndsAt
}

// Active says whether the subscription runs at that moment.
func (s Subscription) Active(at time.Time) bool {
	return !at.Before(s.StartsAt) && at.Before(s.AccessUntil())
}

// Entitlements are what the subscription opens at that moment: nothing once it has ended.
func (s Subscription) Entitlements(at time.Time) []string {
	if !s.Active(at) {
		return nil
	}
	return s.PlanEntitlements
}

// Status is where it stands at that moment, by what is known of it and the clock alone.
func (s Subscription) Status(at time.Time) Status {
	switch {
	case !s.EndedAt.IsZero() || !at.Before(s.AccessUntil()):
		return Ended
	case !s.Paid():
		return OnTrial
	case !s.Renews:
		return Cancelling
	case !s.PaymentFailedAt.IsZero():
		return InGrace
	}
	return Active
}
