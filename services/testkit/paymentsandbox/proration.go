package paymentsandbox

import (
	"math/bits"
	"slices"
	"time"
)

// debit is what was charged for the time until a period's end, and from when: what of it is not used goes back.
type debit struct {
	Amount int64 `json:"amount"`
	From   int64 `json:"from"`
}

// prorated is a part of an amount for a part of its time, to the second, rounded half up.
func prorated(amount, part, whole int64) int64 {
	if whole <= 0 {
		return 0
	}
	high, low := bits.Mul64(uint64(amount), uint64(part))
	low, carry := bits.Add64(low, uint64(whole)/2, 0) //nolint:mnd // a half, which rounds up
	rounded, _ := bits.Div64(high+carry, low, uint64(whole))
	return int64(rounded)
}

// move is a change of a subscription's price.
type move struct {
	of *subscription
	to *price
	// at is what is prorated from, now when the change is made: where the length of the period changes, the new one begins now.
	at, now int64
}

// moved is the subscription as it is after a change, and the invoice of the change. Neither is kept yet.
func (s *Sandbox) moved(m move) (subscription, *invoice) {
	after, old := *m.of, m.of.Lines[0]
	after.Lines = slices.Clone(m.of.Lines)
	next := &after.Lines[0]
	next.Price = m.to.ID
	credit := old.part(-prorated(m.of.debited(s).Amount, m.of.PeriodEnd-m.at, m.of.PeriodEnd-m.of.debited(s).From), m.at, m.of.PeriodEnd)
	if m.to.Interval == m.of.Interval {
		whole := s.amount(*next) - s.offOf(&after, after.Lines)
		charged := next.part(prorated(whole, after.PeriodEnd-m.at, after.PeriodEnd-after.PeriodStart), m.at, after.PeriodEnd)
		after.Debit = &debit{*charged.Amount, m.at}
		return after, s.draft(&after, "subscription_update", []line{credit, charged}, m.now)
	}
	after.Interval, after.Anchor, after.Periods, after.PeriodStart = m.to.Interval, m.now, 1, m.now
	after.PeriodEnd = after.periodEnd(1)
	s.dropDiscount(&after)
	after.Debit = &debit{s.amount(*next) - s.offOf(&after, after.Lines), m.now}
	return after, s.draft(&after, "subscription_update", []line{credit, *next}, m.now)
}

// part is a line of an invoice for a part of a period: its amount is its own, discounts included.
func (l line) part(amount, from, to int64) line {
	return line{
		ID: newID("li"), Item: l.ID, Price: l.Price, Quantity: l.Quantity, Metadata: l.Metadata, Amount: &amount, Start: from, End: to,
	}
}

// proration says whether a line is for a part of a period.
func (l line) proration() bool { return l.Amount != nil }

// debited is what was charged last for the time until the period's end.
func (s *subscription) debited(in *Sandbox) debit {
	if s.Debit == nil {
		return debit{in.goods(s.Lines), s.PeriodStart} // of a file that was written before it was kept
	}
	return *s.Debit
}

// anchor is what the periods are counted from.
func (s *subscription) anchor() time.Time {
	if s.Anchor != 0 {
		return time.Unix(s.Anchor, 0).UTC()
	}
	return time.Unix(s.Start, 0).UTC()
}
