package paymentsandbox

import (
	"slices"
	"strings"
)

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

// States of a dispute. Those of an inquiry begin with "warning_": the bank asks, and no money moves.
const (
	inquiry       = "warning_needs_response"
	inquiryClosed = "warning_closed"
	needsResponse = "needs_response"
	underReview   = "under_review"
	won           = "won"
	lost          = "lost"
	prevented     = "prevented"
)

// asks says that it is an inquiry still.
func (d *dispute) asks() bool { return strings.HasPrefix(d.Status, "warning_") }

// withdrawn says that the bank has the money.
func (d *dispute) withdrawn() bool { return !d.asks() && d.Status != won && d.Status != prevented }

func (d *dispute) show() object {
	return object{
		"id": d.ID, "object": "dispute", "amount": d.Amount, "currency": d.Currency, "charge": d.Charge, "payment_intent": d.Payment,
		"created": d.Created, "livemode": false, "metadata": object{}, "reason": "fraudulent", "status": d.Status,
		"is_charge_refundable": d.asks(), "balance_transactions": d.showMovements(), "enhanced_eligibility_types": []string{},
		"evidence":         object{"enhanced_evidence": object{}},
		"evidence_details": object{"enhanced_eligibility": object{}, "has_evidence": false, "past_due": false, "submission_count": 0, "due_by": nil},
	}
}

// showMovements are the account's: money that was withdrawn, and that was put back. Stripe shows two at most.
func (d *dispute) showMovements() []object {
	movement := func(name string, amount int64) object {
		return object{
			"id": "txn_" + name + "_" + d.ID, "object": "balance_transaction", "amount": amount, "available_on": d.Created, "balance_type": "payments",
			"created": d.Created, "currency": d.Currency, "description": nil, "exchange_rate": nil, "fee": 0, "fee_details": []object{}, "net": amount,
			"reporting_category": "dispute", "source": d.ID, "status": "available", "type": "adjustment",
		}
	}
	moved := []object{}
	if d.asks() || d.Status == prevented {
		return moved
	}
	moved = append(moved, movement("out", -d.Amount))
	if d.Status == won {
		moved = append(moved, movement("in", d.Amount))
	}
	return moved
}

// Refund returns what was paid, as an operator does on the provider's own pages; 0 is all that is left.
func (s *Sandbox) Refund(paymentID string, amount int64) error {
	return s.locked(func() error { return s.refundOf(paymentID, amount, succeeded) })
}

func (s *Sandbox) refundOf(paymentID string, amount int64, status string) error {
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
	s.refund(p, amount, status, "", map[string]string{})
	return nil
}

// Dispute has the bank of a payment ask for all of it back, and take it; DisputePart a part of it.
func (s *Sandbox) Dispute(paymentID string) error { return s.DisputePart(paymentID, 0) }

// DisputePart is Dispute of an amount in minor units; 0 is all.
func (s *Sandbox) DisputePart(paymentID string, amount int64) error {
	return s.locked(func() error {
		made, err := s.beginDispute(paymentID, amount, needsResponse)
		if err == nil {
			s.tell("charge.dispute.created", made.show())
			s.tell("charge.dispute.funds_withdrawn", made.show())
		}
		return err
	})
}

// Inquire has the bank of a payment ask about it, and take nothing. The charge says that it is disputed all the same, as Stripe's do.
func (s *Sandbox) Inquire(paymentID string) error {
	return s.locked(func() error {
		made, err := s.beginDispute(paymentID, 0, inquiry)
		if err == nil {
			s.tell("charge.dispute.created", made.show())
		}
		return err
	})
}

// Prevent has the bank of a payment ask for all of it back, and the account give that back by itself before it is a dispute.
func (s *Sandbox) Prevent(paymentID string) error {
	return s.locked(func() error {
		made, err := s.beginDispute(paymentID, 0, prevented)
		if err != nil {
			return err
		}
		s.tell("charge.dispute.created", made.show())
		s.tell("charge.dispute.closed", made.show())
		return s.refundOf(paymentID, 0, succeeded)
	})
}

func (s *Sandbox) beginDispute(paymentID string, amount int64, status string) (*dispute, error) {
	p, ok := s.state.Payments.get(paymentID)
	switch {
	case !ok:
		return nil, missing("payment_intent", paymentID)
	case p.Status != succeeded || p.Disputed || amount < 0 || amount > p.Amount:
		return nil, refused("", "There is nothing to ask back.")
	case amount == 0:
		amount = p.Amount
	}
	p.Disputed = true
	made := &dispute{
		ID: newID("du"), Payment: p.ID, Charge: p.Charge, Amount: amount, Currency: p.Currency, Status: status, Created: s.now().Unix(),
	}
	s.state.Disputes.add(made)
	return made, nil
}

// next are the ways that a dispute can go. An inquiry is closed, or becomes a dispute that takes the money; what is decided stays so.
var next = map[string][]string{
	inquiry:                {inquiryClosed, needsResponse, "warning_under_review"},
	"warning_under_review": {inquiryClosed, needsResponse},
	needsResponse:          {underReview, won, lost},
	underReview:            {won, lost},
}

// Decide moves the dispute of a payment on, with the events that Stripe tells: to "warning_closed", "needs_response" (an inquiry that the
// bank takes further), "under_review", "won" or "lost".
func (s *Sandbox) Decide(paymentID, status string) error {
	return s.locked(func() error {
		i := slices.IndexFunc(s.state.Disputes.Items, func(d *dispute) bool { return d.Payment == paymentID })
		if i < 0 {
			return missing("dispute", paymentID)
		}
		d := s.state.Disputes.Items[i]
		if !slices.Contains(next[d.Status], status) {
			return refused("", "A dispute cannot go from "+d.Status+" to "+status+".")
		}
		had := d.withdrawn()
		d.Status = status
		switch {
		case had && !d.withdrawn():
			s.tell("charge.dispute.funds_reinstated", d.show())
		case !had && d.withdrawn():
			s.tell("charge.dispute.funds_withdrawn", d.show())
		}
		kind := "charge.dispute.updated"
		if next[status] == nil {
			kind = "charge.dispute.closed"
		}
		s.tell(kind, d.show())
		return nil
	})
}

// holdsMoney says that a bank has money of a payment.
func (s *Sandbox) holdsMoney(p *payment) bool {
	return slices.ContainsFunc(s.state.Disputes.Items, func(d *dispute) bool { return d.Payment == p.ID && d.withdrawn() })
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
