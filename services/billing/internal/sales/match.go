package sales

import (
	"fmt"
	"time"
)

// Paid is what the provider says of a paid order.
type Paid struct {
	Session Session
	// Subscription is zero where none was bought.
	Subscription ProviderSubscription
	// CardFingerprint of the card that a membership was paid with; empty where none is known.
	CardFingerprint string
}

// MismatchError says that the provider's session differs from the order. Billing then grants nothing and alerts an operator.
type MismatchError struct {
	What      string
	Want, Got any
}

// Error says what differs.
func (m MismatchError) Error() string {
	return fmt.Sprintf("the session's %s is %v, not %v", m.What, m.Got, m.Want)
}

// matches checks that the session is the order's and was paid as ordered. customer is the member's at the provider, empty
// where it is forgotten.
func matches(o Order, s Session, customer string) error {
	lines := map[PaidLine]int{}
	for _, line := range o.Lines {
		lines[PaidLine{PriceID: line.PriceID, Quantity: int64(line.Quantity), Amount: line.UnitAmount * int64(line.Quantity)}]++
	}
	for _, line := range s.Lines {
		lines[line]--
	}
	var odd []PaidLine
	for line, n := range lines {
		if n != 0 {
			odd = append(odd, line)
		}
	}
	for _, check := range []MismatchError{
		{"id", o.SessionID, s.ID},
		{"order", o.ID.String(), s.OrderID},
		{"member", o.UID.String(), s.UID},
		{"customer", customerOr(customer, s), s.Customer},
		{"live", o.Live, s.Live},
		{"currency", o.Currency, s.Currency},
		{"discount", min(max(s.Discount, 0), o.Total-o.Delivery), s.Discount}, // of the goods at most
		{"amount", o.Total - s.Discount - s.FromBalance, s.Amount},
		{"balance", balanceFor(o, s), s.FromBalance}, // of a membership alone, and at most what it comes to
		{"delivery", o.Delivery, s.Delivery},
		{"lines", 0, len(odd)},
		{"kind (subscription)", o.Membership() != nil, s.Subscription != ""},
	} {
		if check.Want != check.Got {
			return check
		}
	}
	if s.Payment == "" && s.Amount > 0 {
		return MismatchError{"payment", "one", "none"}
	}
	return nil
}

func balanceFor(o Order, s Session) int64 {
	if o.Membership() == nil {
		return 0
	}
	return min(s.FromBalance, o.Total-s.Discount)
}

func customerOr(customer string, s Session) string {
	if customer == "" {
		return s.Customer
	}
	return customer
}

// subscribes checks that the subscription is what was bought.
func subscribes(o Order, s Session, sub ProviderSubscription) error {
	for _, check := range []MismatchError{
		{"subscription", s.Subscription, sub.ID},
		{"subscription's member", o.UID.String(), sub.UID},
		{"subscription's customer", s.Customer, sub.Customer},
		{"subscription's price", o.Membership().PriceID, sub.PriceID},
		{"subscription's period (longer than nothing)", true, sub.PeriodEnd.After(sub.PeriodStart)},
	} {
		if check.Want != check.Got {
			return check
		}
	}
	return nil
}

// Ends is when what the subscription opens ends.
func (s ProviderSubscription) Ends() time.Time {
	if !s.EndedAt.IsZero() && s.EndedAt.Before(s.PeriodEnd) {
		return s.EndedAt
	}
	return s.PeriodEnd
}

// Renews says whether the next period will be charged.
func (s ProviderSubscription) Renews() bool { return s.EndedAt.IsZero() && !s.CancelAtPeriodEnd }
