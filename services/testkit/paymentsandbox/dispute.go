package paymentsandbox

type dispute struct {
	ID       string `json:"id"`
	Payment  string `json:"payment"`
	Charge   string `json:"charge"`
	Amount   int64  `json:"amount"`
	Currency string `json:"currency"`
	Status   string `json:"status"`
	Created  int64  `json:"created"`
}

func (d *dispute) id() string  { return d.ID }
func (d *dispute) made() int64 { return d.Created }

func (d *dispute) show() object {
	return object{
		"id": d.ID, "object": "dispute", "amount": d.Amount, "currency": d.Currency, "charge": d.Charge, "payment_intent": d.Payment,
		"created": d.Created, "livemode": false, "metadata": object{}, "reason": "fraudulent", "status": d.Status,
		"is_charge_refundable": false, "balance_transactions": []object{}, "enhanced_eligibility_types": []string{},
		"evidence":         object{"enhanced_evidence": object{}},
		"evidence_details": object{"enhanced_eligibility": object{}, "has_evidence": false, "past_due": false, "submission_count": 0, "due_by": nil},
	}
}

// Refund returns what was paid, as an operator does on the provider's own pages; 0 is all that is left.
func (s *Sandbox) Refund(paymentID string, amount int64) error {
	return s.locked(func() error {
		p, ok := s.state.Payments.get(paymentID)
		if !ok {
			return missing("payment_intent", paymentID)
		}
		if amount == 0 {
			amount = p.Amount - p.Refunded
		}
		if p.Status != succeeded || amount <= 0 || amount > p.Amount-p.Refunded {
			return refused("charge_already_refunded", "There is not so much left to return.")
		}
		s.refund(p, amount, "", map[string]string{})
		return nil
	})
}

// Dispute has the bank of a payment ask for it back.
func (s *Sandbox) Dispute(paymentID string) error {
	return s.locked(func() error {
		p, ok := s.state.Payments.get(paymentID)
		if !ok {
			return missing("payment_intent", paymentID)
		}
		if p.Status != succeeded || p.Disputed {
			return refused("", "There is nothing to ask back.")
		}
		p.Disputed = true
		made := &dispute{
			ID: newID("du"), Payment: p.ID, Charge: p.Charge, Amount: p.Amount, Currency: p.Currency, Status: "needs_response", Created: s.now().Unix(),
		}
		s.state.Disputes.add(made)
		s.tell("charge.dispute.created", made.show())
		return nil
	})
}

func (s *Sandbox) dispute(c *call) (object, error) {
	if err := c.finish(); err != nil {
		return nil, err
	}
	d, ok := s.state.Disputes.get(c.path)
	if !ok {
		return nil, missing("dispute", c.path)
	}
	return d.show(), nil
}

func (s *Sandbox) listDisputes(c *call) (object, error) {
	l, of := c.listing(), c.text("payment_intent")
	if err := c.finish(); err != nil {
		return nil, err
	}
	return page(l, "/v1/disputes", s.state.Disputes.Items, func(d *dispute) bool { return of == "" || d.Payment == of }, (*dispute).show)
}
