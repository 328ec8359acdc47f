package paymentsandbox

import "slices"

type refund struct {
	ID       string            `json:"id"`
	Payment  string            `json:"payment"`
	Charge   string            `json:"charge"`
	Amount   int64             `json:"amount"`
	Currency string            `json:"currency"`
	Reason   string            `json:"reason"`
	Metadata map[string]string `json:"metadata"`
	Created  int64             `json:"created"`
	// Failed: the money did not reach its owner, and is the account's again.
	Failed bool `json:"failed,omitempty"`
}

func (r *refund) id() string  { return r.ID }
func (r *refund) made() int64 { return r.Created }

func (r *refund) show() object {
	shown := object{
		"id": r.ID, "object": "refund", "amount": r.Amount, "currency": r.Currency, "charge": r.Charge, "payment_intent": r.Payment,
		"created": r.Created, "metadata": r.Metadata, "reason": orNull(r.Reason), "status": succeeded, "receipt_number": nil,
		"balance_transaction": nil, "source_transfer_reversal": nil, "transfer_reversal": nil,
	}
	if r.Failed {
		shown["status"], shown["failure_reason"] = failed, "lost_or_stolen_card"
	}
	return shown
}

// FailRefund has the bank of a payment send its last refund back, days after it was made: it had succeeded until then, as Stripe's have.
func (s *Sandbox) FailRefund(paymentID string) error {
	return s.locked(func() error {
		for _, made := range slices.Backward(s.state.Refunds.Items) {
			if made.Payment != paymentID || made.Failed {
				continue
			}
			p, _ := s.state.Payments.get(paymentID)
			made.Failed = true
			p.Refunded -= made.Amount
			s.tell("refund.updated", made.show())
			s.tell("refund.failed", made.show())
			return nil
		}
		return missing("refund", paymentID)
	})
}

func (s *Sandbox) createRefund(c *call) (object, error) {
	id, metadata := c.must("payment_intent"), c.pairs("metadata")
	reason := ""
	if c.has("reason") {
		reason = c.one("reason", "requested_by_customer", "duplicate", "fraudulent")
	}
	amount := c.whole("amount", 0, 1)
	if err := c.finish(); err != nil {
		return nil, err
	}
	p, ok := s.state.Payments.get(id)
	if !ok {
		return nil, unknown("payment_intent", "payment_intent", id)
	}
	if amount == 0 {
		amount = p.Amount - p.Refunded
	}
	switch {
	case p.Status != succeeded:
		return nil, refused("", "This PaymentIntent does not have a successful charge to refund.")
	case s.holdsMoney(p):
		return nil, refused("charge_disputed", "The payment has been charged back.")
	case p.Refunded == p.Amount:
		return nil, refused("charge_already_refunded", "Charge "+p.Charge+" has already been refunded.")
	case amount > p.Amount-p.Refunded:
		return nil, invalid("amount", "", "Refund amount is greater than the unrefunded amount on the charge.")
	}
	return s.refund(p, amount, reason, metadata).show(), nil
}

func (s *Sandbox) refund(p *payment, amount int64, reason string, metadata map[string]string) *refund {
	made := &refund{
		ID: newID("re"), Payment: p.ID, Charge: p.Charge, Amount: amount, Currency: p.Currency, Reason: reason, Metadata: metadata,
		Created: s.now().Unix(),
	}
	p.Refunded += amount
	s.state.Refunds.add(made)
	s.tell("refund.created", made.show())
	s.tell("charge.refunded", p.showCharge())
	return made
}

func (s *Sandbox) listRefunds(c *call) (object, error) {
	l, of, charge := c.listing(), c.text("payment_intent"), c.text("charge")
	if err := c.finish(); err != nil {
		return nil, err
	}
	return page(l, "/v1/refunds", s.state.Refunds.Items, func(r *refund) bool {
		return (of == "" || r.Payment == of) && (charge == "" || r.Charge == charge)
	}, (*refund).show)
}
