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
	// Status is where it stands: the money of one that failed, or was called off, is the account's again.
	Status string `json:"status"`
}

func (r *refund) id() string  { return r.ID }
func (r *refund) made() int64 { return r.Created }

func (r *refund) show() object {
	shown := object{
		"id": r.ID, "object": "refund", "amount": r.Amount, "currency": r.Currency, "charge": r.Charge, "payment_intent": r.Payment,
		"created": r.Created, "metadata": r.Metadata, "reason": orNull(r.Reason), "status": r.Status, "receipt_number": nil,
		"balance_transaction": nil, "source_transfer_reversal": nil, "transfer_reversal": nil,
	}
	switch r.Status {
	case failed:
		shown["failure_reason"] = "lost_or_stolen_card"
	case canceled:
		shown["failure_reason"] = "merchant_request"
	}
	return shown
}

// States of a refund beside those of a payment.
const (
	pending     = "pending"
	needsAction = "requires_action"
)

// refundNext are the ways that a refund can go. One by card has succeeded at once, and may fail days later.
var refundNext = map[string][]string{
	pending:     {needsAction, succeeded, failed, canceled},
	needsAction: {succeeded, failed, canceled},
	succeeded:   {failed},
}

// RefundLater is Refund whose money is on its way: DecideRefund says what becomes of it.
func (s *Sandbox) RefundLater(paymentID string, amount int64) error {
	return s.locked(func() error { return s.refundOf(paymentID, amount, pending) })
}

// DecideRefund moves the last refund of a payment on that can go there: to "requires_action", "succeeded", "failed" or "canceled".
func (s *Sandbox) DecideRefund(paymentID, status string) error {
	return s.locked(func() error {
		for _, made := range slices.Backward(s.state.Refunds.Items) {
			if made.Payment != paymentID || !slices.Contains(refundNext[made.Status], status) {
				continue
			}
			p, _ := s.state.Payments.get(paymentID)
			made.Status = status
			if status == failed || status == canceled {
				p.Refunded -= made.Amount
			}
			s.tell("refund.updated", made.show())
			if status == failed {
				s.tell("refund.failed", made.show())
			}
			return nil
		}
		return missing("refund", paymentID)
	})
}

// FailRefund has the bank of a payment send its last refund back, days after it was made: it had succeeded until then, as Stripe's have.
func (s *Sandbox) FailRefund(paymentID string) error { return s.DecideRefund(paymentID, failed) }

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
	return s.refund(p, amount, succeeded, reason, metadata).show(), nil
}

func (s *Sandbox) refund(p *payment, amount int64, status, reason string, metadata map[string]string) *refund {
	made := &refund{
		ID: newID("re"), Payment: p.ID, Charge: p.Charge, Amount: amount, Currency: p.Currency, Reason: reason, Metadata: metadata,
		Created: s.now().Unix(), Status: status,
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
