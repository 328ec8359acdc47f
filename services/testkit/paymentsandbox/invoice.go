package paymentsandbox

import (
	"fmt"
	"strconv"
)

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
}

func (i *invoice) id() string  { return i.ID }
func (i *invoice) made() int64 { return i.Created }

// bill makes the invoice of a subscription's present period. Nothing to pay needs no payment.
func (s *Sandbox) bill(of *subscription, reason string, by *payment) *invoice {
	s.state.NextInvoice++
	made := &invoice{
		ID: newID("in"), Number: fmt.Sprintf("SANDBOX-%04d", s.state.NextInvoice), Customer: of.Customer, Subscription: of.ID, Reason: reason,
		Currency: of.Currency, Lines: of.Lines, Status: open, PeriodStart: of.PeriodStart, PeriodEnd: of.PeriodEnd, Created: s.timeOf(of),
	}
	if d, ok := s.state.Discounts.get(of.Discount); ok {
		made.Discount, made.Off = d.ID, s.off(d.Coupon, of.Lines)
	}
	if by != nil {
		made.Payment, by.Invoice = by.ID, made.ID
	}
	of.LatestInvoice = made.ID
	s.state.Invoices.add(made)
	return made
}

func (s *Sandbox) paidInvoice(i *invoice) {
	of, _ := s.state.Subscriptions.get(i.Subscription)
	i.Status, i.PaidAt, i.Attempts = paid, s.timeOf(of), i.Attempts+1
	s.tell("invoice.paid", s.showInvoice(i))
}

func (s *Sandbox) due(i *invoice) int64 { return s.goods(i.Lines) - i.Off }

// showOff are the discounts of an invoice, or of one of its lines: none or one.
func showOff(discountID string, off int64) []object {
	if discountID == "" {
		return []object{}
	}
	return []object{{"amount": off, "discount": discountID}}
}

// named are the ids that there are of one that may be empty.
func named(id string) []string {
	if id == "" {
		return []string{}
	}
	return []string{id}
}

func (s *Sandbox) showInvoice(i *invoice) object {
	due := s.due(i)
	shown := object{
		"id": i.ID, "object": "invoice", "customer": i.Customer, "currency": i.Currency, "status": i.Status, "livemode": false,
		"billing_reason": i.Reason, "created": i.Created, "number": i.Number, "metadata": object{}, "attempt_count": i.Attempts,
		"amount_due": due, "amount_paid": 0, "amount_remaining": due, "amount_overpaid": 0, "amount_shipping": 0, "total": due,
		"subtotal": s.goods(i.Lines), "total_discount_amounts": showOff(i.Discount, i.Off),
		"amount_paid_off_stripe": 0, "post_payment_credit_notes_amount": 0, "pre_payment_credit_notes_amount": 0, "starting_balance": 0,
		"attempted": i.Attempts > 0, "auto_advance": i.Status == open, "automatic_tax": object{"enabled": false, "disabled_reason": nil},
		"collection_method": "charge_automatically", "default_tax_rates": []object{}, "discounts": named(i.Discount), "issuer": object{"type": "self"},
		"payment_settings": object{"default_mandate": nil, "payment_method_options": nil, "payment_method_types": nil},
		"period_start":     i.PeriodStart, "period_end": i.PeriodEnd,
		"status_transitions": object{"finalized_at": i.Created, "marked_uncollectible_at": nil, "paid_at": nil, "voided_at": nil},
		"parent": object{
			"type": "subscription_details", "quote_details": nil,
			"subscription_details": object{"subscription": i.Subscription, "metadata": object{}},
		},
		"lines": s.showInvoiceLines(i),
	}
	if i.PaidAt != 0 {
		shown["amount_paid"], shown["amount_remaining"] = due, 0
		shown["status_transitions"].(object)["paid_at"] = i.PaidAt
	}
	return shown
}

func (s *Sandbox) showInvoiceLines(i *invoice) object {
	off := s.offEach(i.Off, i.Lines)
	return showList("/v1/invoices/"+i.ID+"/lines", i.Lines, false, func(l line) object {
		p, _ := s.state.Prices.get(l.Price)
		return object{
			"id": "il_" + l.ID, "object": "line_item", "amount": s.amount(l), "subtotal": s.amount(l), "currency": i.Currency,
			"discountable": true, "discounts": []string{}, "discount_amounts": showOff(i.Discount, off[l.ID]), "livemode": false, "metadata": l.Metadata, "quantity": l.Quantity, "invoice": i.ID,
			"period": object{"start": i.PeriodStart, "end": i.PeriodEnd}, "subscription": i.Subscription,
			"pricing": object{
				"type": "price_details", "price_details": object{"price": p.ID, "product": p.Product}, "unit_amount_decimal": strconv.FormatInt(p.Amount, 10),
			},
		}
	})
}

func (s *Sandbox) invoice(c *call) (object, error) {
	if err := c.finish(); err != nil {
		return nil, err
	}
	found, ok := s.state.Invoices.get(c.path)
	if !ok {
		return nil, missing("invoice", c.path)
	}
	return s.showInvoice(found), nil
}

// showPaymentsOf are the payments of an invoice: none or one.
func (s *Sandbox) showPaymentsOf(i *invoice) object {
	var of []*invoice
	if i.Payment != "" {
		of = append(of, i)
	}
	return showList("/v1/invoice_payments", of, false, s.showInvoicePayment)
}

func (s *Sandbox) showInvoicePayment(i *invoice) object {
	shown := object{
		"id": "inpay_" + i.ID, "object": "invoice_payment", "invoice": i.ID, "amount_paid": nil, "amount_requested": s.due(i), "created": i.Created,
		"currency": i.Currency, "is_default": true, "livemode": false, "status": open,
		"payment":            object{"type": "payment_intent", "payment_intent": i.Payment},
		"status_transitions": object{"canceled_at": nil, "paid_at": nil},
	}
	if i.PaidAt != 0 {
		shown["amount_paid"], shown["status"], shown["status_transitions"] = s.due(i), paid, object{"canceled_at": nil, "paid_at": i.PaidAt}
	}
	return shown
}

func (s *Sandbox) listInvoicePayments(c *call) (object, error) {
	l, of := c.listing(), c.text("invoice")
	by := c.part("payment")
	by.text("type")
	payment := by.text("payment_intent")
	if err := c.finish(); err != nil {
		return nil, err
	}
	return page(l, "/v1/invoice_payments", s.state.Invoices.Items, func(i *invoice) bool {
		return i.Payment != "" && (of == "" || i.ID == of) && (payment == "" || i.Payment == payment)
	}, s.showInvoicePayment)
}
