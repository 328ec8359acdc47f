package subscriptions

import (
	"cmp"
	"slices"
	"time"

	"serein.app/services/billing/internal/plans"
	"serein.app/services/billing/internal/sales"
)

// LineKind says what a line of a quote is.
type LineKind int

// The kinds, in the order in which they are shown.
const (
	PlanLine    LineKind = iota + 1 // the plan that is changed to
	UnusedLine                      // what was paid for the plan before and is not used
	BalanceLine                     // what was credited before and pays now, or what was owed
	WaitingLine                     // what is too little to be charged and waits for the next payment
)

// QuoteLine is a part of a quote's amount.
type QuoteLine struct {
	Kind   LineKind
	Plan   string // the name of the plan that it is of
	Amount int64  // in minor units, below 0 for what is taken off
	// Days of the period's PeriodDays, rounded, that a plan's line is for: the amount is to the second.
	Days, PeriodDays int32
}

// lines are what a preview's amount is made of, as the provider reckons it. There are none where it tells of something that is of
// neither plan, since what does not add up explains nothing.
func (s State) lines(to sales.Item, p Preview) []QuoteLine {
	var lines []QuoteLine
	left := p.Total
	for _, l := range p.Lines {
		line := QuoteLine{Kind: UnusedLine, Plan: s.PlanName, Amount: l.Amount}
		switch l.PriceID {
		case to.PriceID:
			line.Kind, line.Plan = PlanLine, to.Name
		case s.PriceID:
		default:
			return nil
		}
		part := l.PeriodEnd.Sub(l.PeriodStart)
		line.Days, line.PeriodDays = days(part), days(part)
		if l.Proration {
			line.PeriodDays = days(s.EndsAt.Sub(s.StartsAt))
		}
		left -= l.Amount
		lines = append(lines, line)
	}
	if left != 0 {
		return nil
	}
	slices.SortStableFunc(lines, func(a, b QuoteLine) int { return cmp.Compare(a.Kind, b.Kind) })
	return append(lines, p.besides()...)
}

// besides is what lies between what a change comes to and what is charged for it.
func (p Preview) besides() (lines []QuoteLine) {
	rest := p.Amount - p.Total
	if rest == 0 {
		return nil
	}
	balance := max(p.Balance, -p.Total)
	if balance < rest {
		balance = rest // the provider takes less of it
	}
	for _, line := range []QuoteLine{{Kind: BalanceLine, Amount: balance}, {Kind: WaitingLine, Amount: rest - balance}} {
		if line.Amount != 0 {
			lines = append(lines, line)
		}
	}
	return lines
}

func days(d time.Duration) int32 { return int32(max(d.Round(plans.Day)/plans.Day, 1)) }
