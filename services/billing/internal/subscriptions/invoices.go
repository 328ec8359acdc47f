package subscriptions

import (
	"time"

	"serein.app/services/billing/internal/sales"
	"serein.app/services/platform/itemkind"
)

// period is the line of a whole period that an invoice charges for.
func (i Invoice) period() (InvoiceLine, bool) {
	for _, line := range i.Lines {
		if !line.Proration && line.PeriodEnd.After(line.PeriodStart) {
			return line, true
		}
	}
	return InvoiceLine{}, false
}

// moment is when a change began: its parts of periods begin then.
func (i Invoice) moment() time.Time {
	at := i.CreatedAt
	for _, line := range i.Lines {
		if line.Proration {
			at = line.PeriodStart
		}
	}
	return at
}

// parts are what a change charges for the plan of that price, and what it gives back of the one before.
func (i Invoice) parts(to, from string) (cost, unused int64) {
	for _, line := range i.Lines {
		switch line.PriceID {
		case to:
			cost += line.Amount
		case from:
			unused -= line.Amount
		}
	}
	return cost, unused
}

// changeTo is the last invoice of a change to that price.
func (t Told) changeTo(price string) (found Invoice, ok bool) {
	for _, invoice := range t.Invoices {
		for _, line := range invoice.Lines {
			if invoice.Reason == Change && line.PriceID == price {
				found, ok = invoice, true
			}
		}
	}
	return found, ok
}

// renewal is the paid invoice of the last period that begins when the one that is known has ended, or later: a year that was changed
// into months ends after them, and is none of theirs.
func (t Told) renewal(known time.Time) (found Invoice, period InvoiceLine, ok bool) {
	for _, invoice := range t.Invoices {
		line, full := invoice.period()
		if invoice.Reason == Cycle && invoice.Status == Paid && full && !line.PeriodStart.Before(known) {
			found, period, ok, known = invoice, line, true, line.PeriodEnd
		}
	}
	return found, period, ok
}

// owed is the invoice of a period after the one that is known that waits to be paid.
func (t Told) owed(known time.Time) (found Invoice, ok bool) {
	for _, invoice := range t.Invoices {
		line, full := invoice.period()
		waits := invoice.Status == Open || invoice.Status == Uncollectible
		if invoice.Reason == Cycle && waits && full && line.PeriodEnd.After(known) {
			found, ok = invoice, true
		}
	}
	return found, ok
}

// forMoney says that an invoice of a further period or a change was paid, and not by credit alone.
func (i Invoice) forMoney() bool {
	return i.Status == Paid && i.Charged > 0 && (i.Reason == Cycle || i.Reason == Change)
}

// amount is an invoice's amount before the customer's balance, and the part that the balance pays. If the invoice's total is 0 or less, the
// whole charge is an earlier amount that was too small to charge.
func (i Invoice) amount() (total, fromBalance int64) {
	if i.Total <= 0 {
		return i.Charged, 0
	}
	return i.Charged + i.FromBalance, i.FromBalance
}

// unbooked are invoices that were paid by no payment of the provider's, such as by hand: what they paid for is given, and they are in no
// books, since nothing of them could go back.
func (t Told) unbooked() (ids []string) {
	for _, invoice := range t.Invoices {
		if invoice.forMoney() && invoice.Payment == "" {
			ids = append(ids, invoice.ID)
		}
	}
	return ids
}

// Payment is an invoice that was paid with money, and what for.
type Payment struct {
	Invoice Invoice
	Cause   sales.Cause
	Line    sales.Line
	// PeriodStart and PeriodEnd are of what it paid for.
	PeriodStart, PeriodEnd time.Time
	// FromBalance is what the customer's balance paid of the line; below 0 what it asked for besides.
	FromBalance int64
	// Keep: what it paid for is given; else it goes back.
	Keep bool
	// CardFingerprint of the card that paid it; empty where none is known.
	CardFingerprint string
	// PaidBy is what it was paid by; zero where the provider has not said.
	PaidBy sales.Means
}

// Payments are what was paid for further periods and changes, as the books have it once the membership is in that state.
func Payments(s State, told Told, happened []Happening) (all []Payment) {
	for _, invoice := range told.Invoices {
		if !invoice.forMoney() || invoice.Payment == "" {
			continue
		}
		p := Payment{Invoice: invoice, Cause: sales.Renewal, PeriodStart: invoice.CreatedAt, PeriodEnd: s.EndsAt}
		if invoice.Reason == Change {
			p.Cause, p.PeriodStart = sales.PlanChange, invoice.moment()
		}
		price := s.PriceID
		if line, full := invoice.period(); full {
			p.PeriodStart, p.PeriodEnd, price = line.PeriodStart, line.PeriodEnd, line.PriceID
		} else if len(invoice.Lines) > 0 {
			price = invoice.Lines[len(invoice.Lines)-1].PriceID
		}
		var total int64
		total, p.FromBalance = invoice.amount()
		p.Line = s.line(told.Items[price], price, total)
		if p.Cause == sales.PlanChange {
			p.Line.Credits = bought(happened, invoice.ID)
		}
		p.Keep = p.PeriodStart.Before(s.EndsAt)
		all = append(all, p)
	}
	return all
}

// line is the plan of that price, or where the catalogue has it no more the membership's own.
func (s State) line(item sales.Item, price string, amount int64) sales.Line {
	line := sales.Line{
		ProductID: item.ProductID, Size: item.Size, Kind: itemkind.Membership, Name: item.Name, Quantity: 1, UnitAmount: amount,
		Credits: item.Credits, PriceID: price,
	}
	if item.ProductID == "" {
		line.ProductID, line.Size, line.Name, line.Credits = s.PlanID, s.Period, s.PlanName, s.Credits
	}
	return line
}

// bought are the credits that a change's invoice paid for.
func bought(happened []Happening, invoice string) int64 {
	for _, h := range happened {
		if h.Kind == Changed && h.Invoice == invoice {
			return max(h.Given-h.Returned, 0)
		}
	}
	return 0
}
