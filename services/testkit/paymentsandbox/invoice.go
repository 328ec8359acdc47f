package paymentsandbox

import (
	"fmt"
	"slices"
)

// draft is the state of an invoice that is only a preview.
const draft = "draft"

type invoice struct {
	ID           string `json:"id"`
	Number       string `json:"number"`
	Customer     string `json:"customer"`
	Subscription string `json:"subscription"`
	Reason       string `json:"reason"`
	Currency     string `json:"currency"`
	Lines        []line `json:"lines"`
	Discount     string `json:"discount,omitempty"`
	Off          int64  `json:"off,omitempty"` // what the discount takes off
	Status       string `json:"status"`
	PeriodStart  int64  `json:"periodStart"`
	PeriodEnd    int64  `json:"periodEnd"`
	Created      int64  `json:"created"`
	PaidAt       int64  `json:"paidAt"` // 0 before
	Payment      string `json:"payment"`
	Attempts     int    `json:"attempts"`
	// Starting and Ending are the customer's balance before and after it.
	Starting int64 `json:"starting,omitempty"`
	Ending   int64 `json:"ending,omitempty"`
}

func (i *invoice) id() string  { return i.ID }
func (i *invoice) made() int64 { return i.Created }

// draft is an invoice that is not kept yet: of lines, with what the customer's balance gives or takes.
func (s *Sandbox) draft(of *subscription, reason string, lines []line, at int64) *invoice {
	made := &invoice{
		Customer: of.Customer, Subscription: of.ID, Reason: reason, Currency: of.Currency, Lines: slices.Clone(lines), Status: draft,
		PeriodStart: of.PeriodStart, PeriodEnd: of.PeriodEnd, Created: at,
	}
	if len(wholes(lines)) > 0 {
		made.Discount, made.Off = of.Discount, s.offOf(of, lines)
	}
	made.Starting = s.payerOrNil(of.Customer).Balance
	made.Ending = left(s.billed(made), made.Starting, of.Currency)
	return made
}

// keep makes a draft the subscription's latest invoice.
func (s *Sandbox) keep(of *subscription, made *invoice) {
	s.state.NextInvoice++
	made.ID, made.Number, made.Status = newID("in"), fmt.Sprintf("SANDBOX-%04d", s.state.NextInvoice), open
	of.LatestInvoice = made.ID
	s.state.Invoices.add(made)
	s.index.bills[of.ID] = append(s.index.bills[of.ID], made)
	s.balanceAfter(made)
}

// demand makes the payment that an invoice asks for; nothing to pay needs none.
func (s *Sandbox) demand(bill *invoice, at int64) {
	if s.due(bill) == 0 {
		return
	}
	made := &payment{
		ID: newID("pi"), Customer: bill.Customer, Amount: s.due(bill), Currency: bill.Currency, Metadata: map[string]string{}, Created: at,
		Status: needsCard, Invoice: bill.ID,
	}
	bill.Payment = made.ID
	s.state.Payments.add(made)
}

func (s *Sandbox) paidInvoice(i *invoice, at int64) {
	i.Status, i.PaidAt, i.Attempts = paid, at, i.Attempts+1
	s.tellInvoice("invoice.paid", i)
}

// tellInvoice tells of an invoice as it is now.
func (s *Sandbox) tellInvoice(kind string, i *invoice) {
	was, next := *i, s.nextAttempt(i)
	s.tellOf(kind, func() object { return s.showInvoiceAs(&was, next) })
}

// nextAttempt is when an invoice is tried again; 0 for never.
func (s *Sandbox) nextAttempt(i *invoice) int64 {
	of, ok := s.state.Subscriptions.get(i.Subscription)
	if !ok || i.Status != open || of.LatestInvoice != i.ID {
		return 0
	}
	return of.RetryAt
}
