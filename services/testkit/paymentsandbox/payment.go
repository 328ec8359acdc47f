package paymentsandbox

// States of a payment, its charge and an invoice.
const (
	succeeded  = "succeeded"
	failed     = "failed"
	needsCard  = "requires_payment_method"
	incomplete = "incomplete"
)

// payment is a payment intent with its one charge.
type payment struct {
	ID       string            `json:"id"`
	Customer string            `json:"customer"`
	Amount   int64             `json:"amount"`
	Currency string            `json:"currency"`
	Metadata map[string]string `json:"metadata"`
	Created  int64             `json:"created"`
	Status   string            `json:"status"`
	// Charge is the latest attempt; empty before the first.
	Charge string `json:"charge"`
	Card   Card   `json:"card"`
	// Method is the id of the card that was tried last.
	Method   string `json:"method,omitempty"`
	Decline  string `json:"decline"` // why the latest attempt was declined
	Refunded int64  `json:"refunded"`
	Disputed bool   `json:"disputed"`
	// Invoice is the invoice that it paid; empty for a checkout session without an invoice.
	Invoice string `json:"invoice"`
}

func (p *payment) id() string  { return p.ID }
func (p *payment) made() int64 { return p.Created }

func (p *payment) show() object {
	shown := object{
		"id": p.ID, "object": "payment_intent", "amount": p.Amount, "amount_capturable": 0, "amount_received": 0, "currency": p.Currency,
		"customer": orNull(p.Customer), "created": p.Created, "livemode": false, "latest_charge": orNull(p.Charge),
		"metadata": p.Metadata, "status": p.Status, "payment_method_types": []string{"card"}, "capture_method": "automatic",
		"confirmation_method": "automatic", "last_payment_error": nil, "next_action": nil, "canceled_at": nil, "description": nil,
	}
	if p.Status == succeeded {
		shown["amount_received"] = p.Amount
	} else if p.Decline != "" {
		shown["last_payment_error"] = object{
			"type": "card_error", "code": "card_declined", "decline_code": p.Decline, "message": "Your card was declined.", "charge": p.Charge,
		}
	}
	return shown
}

func (p *payment) showCharge() object {
	status, taken := succeeded, p.Amount
	if p.Status != succeeded {
		status, taken = failed, 0
	}
	shown := object{
		"id": p.Charge, "object": "charge", "amount": p.Amount, "amount_captured": taken, "amount_refunded": p.Refunded,
		"captured": status == succeeded, "created": p.Created, "currency": p.Currency, "customer": orNull(p.Customer),
		"billing_details": object{"address": nil, "email": nil, "name": nil, "phone": nil, "tax_id": nil},
		"disputed":        p.Disputed, "livemode": false, "metadata": p.Metadata, "paid": status == succeeded, "payment_intent": p.ID,
		"refunded": p.Refunded == p.Amount && p.Amount > 0, "status": status, "failure_code": nil, "failure_message": nil,
		"payment_method": orNull(p.Method),
	}
	if p.Card != "" {
		shown["payment_method_details"] = object{"type": byCard, byCard: p.Card.show()}
	} else if p.Method != "" {
		shown["payment_method_details"] = object{"type": byDebit, byDebit: object{"last4": "2345", "sort_code": "108800", "fingerprint": nil, "mandate": nil}}
	}
	if status == failed {
		shown["failure_code"], shown["failure_message"] = "card_declined", "Your card was declined."
	}
	return shown
}

func (s *Sandbox) payment(c *call) (object, error) {
	if err := c.finish(); err != nil {
		return nil, err
	}
	p, ok := s.state.Payments.get(c.path)
	if !ok {
		return nil, missing("payment_intent", c.path)
	}
	return p.show(), nil
}

func (s *Sandbox) charge(c *call) (object, error) {
	if err := c.finish(); err != nil {
		return nil, err
	}
	p, ok := s.chargeOf(c.path)
	if !ok {
		return nil, missing("charge", c.path)
	}
	return p.showCharge(), nil
}

// chargeOf is the payment whose latest charge is named.
func (s *Sandbox) chargeOf(id string) (*payment, bool) {
	p, ok := s.index.charges[id]
	return p, ok && p.Charge == id
}

// take tries to get a payment from a card, and says whether it came.
func (s *Sandbox) take(p *payment, from *method, decline string) bool {
	p.Charge, p.Card, p.Method, p.Decline, p.Status = newID("ch"), from.Card, from.ID, decline, succeeded
	s.index.charged(p)
	if decline != "" {
		p.Status = needsCard
	}
	was := *p
	if decline != "" {
		s.tellOf("charge.failed", was.showCharge)
		s.tellOf("payment_intent.payment_failed", was.show)
		return false
	}
	s.tellOf("charge.succeeded", was.showCharge)
	s.tellOf("payment_intent.succeeded", was.show)
	return true
}
