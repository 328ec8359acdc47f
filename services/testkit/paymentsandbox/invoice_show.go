package paymentsandbox

import (
	"cmp"
	"strconv"
)

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

func (s *Sandbox) showInvoice(i *invoice) object { return s.showInvoiceAs(i, s.nextAttempt(i)) }

// showInvoiceAs shows an invoice that is tried again then.
func (s *Sandbox) showInvoiceAs(i *invoice, next int64) object {
	due := s.due(i)
	shown := object{
		"id": i.ID, "object": "invoice", "customer": i.Customer, "currency": i.Currency, "status": i.Status, "livemode": false,
		"billing_reason": i.Reason, "created": i.Created, "number": orNull(i.Number), "metadata": object{}, "attempt_count": i.Attempts,
		"amount_due": due, "amount_paid": 0, "amount_remaining": due, "amount_overpaid": 0, "amount_shipping": 0, "total": s.billed(i),
		"subtotal": s.goods(i.Lines), "total_discount_amounts": showOff(i.Discount, i.Off),
		"amount_paid_off_stripe": 0, "post_payment_credit_notes_amount": 0, "pre_payment_credit_notes_amount": 0, "starting_balance": i.Starting,
		"ending_balance": i.Ending, "next_payment_attempt": orNone(next),
		"attempted": i.Attempts > 0, "auto_advance": next != 0, "automatic_tax": object{"enabled": false, "disabled_reason": nil},
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
	if i.Status == draft {
		shown["ending_balance"] = nil // nothing is kept of a preview
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
		from, to, discount := i.PeriodStart, i.PeriodEnd, i.Discount
		if l.proration() {
			from, to, discount = l.Start, l.End, ""
		}
		return object{
			"id": "il_" + l.ID, "object": "line_item", "amount": s.amount(l), "subtotal": s.amount(l), "currency": i.Currency,
			"discountable": !l.proration(), "discounts": []string{}, "discount_amounts": showOff(discount, off[l.ID]), "livemode": false,
			"metadata": l.Metadata, "quantity": l.Quantity, "invoice": orNull(i.ID), "period": object{"start": from, "end": to}, "subscription": i.Subscription,
			"parent": showLineParent(i, l),
			"pricing": object{
				"type": "price_details", "price_details": object{"price": p.ID, "product": p.Product}, "unit_amount_decimal": strconv.FormatInt(p.Amount, 10),
			},
		}
	})
}

func showLineParent(i *invoice, l line) object {
	return object{
		"type": "subscription_item_details", "invoice_item_details": nil, "subscription_item_details": object{
			"invoice_item": nil, "proration": l.proration(), "proration_details": object{"credited_items": nil}, "subscription": i.Subscription,
			"subscription_item": "si_" + cmp.Or(l.Item, l.ID),
		},
	}
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

func (s *Sandbox) listInvoices(c *call) (object, error) {
	l, customer, of := c.listing(), c.text("customer"), c.text("subscription")
	status := ""
	if c.has("status") {
		status = c.one("status", draft, open, paid, "uncollectible", "void")
	}
	if err := c.finish(); err != nil {
		return nil, err
	}
	among := s.state.Invoices.Items
	if of != "" {
		among = s.index.bills[of]
	}
	return page(l, "/v1/invoices", among, func(i *invoice) bool {
		return (customer == "" || i.Customer == customer) && (status == "" || i.Status == status)
	}, s.showInvoice)
}
