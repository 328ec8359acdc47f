package paymentsandbox

import (
	"crypto/sha256"
	"encoding/hex"
)

// method is a card that a customer has given. It stays with them, whichever they give afterwards.
type method struct {
	ID       string `json:"id"`
	Customer string `json:"customer"`
	Card     Card   `json:"card"`
	Created  int64  `json:"created"`
}

func (m *method) id() string { return m.ID }

// brands by the first digit.
var brands = map[byte]string{'3': "amex", '4': "visa", '5': "mastercard"}

func (c Card) brand() string {
	if c == "" || brands[c[0]] == "" {
		return "unknown"
	}
	return brands[c[0]]
}

// fingerprint is the same for one number, whichever customer pays with it.
func (c Card) fingerprint() string {
	sum := sha256.Sum256([]byte("sandbox card " + c))
	return hex.EncodeToString(sum[:8])
}

// show is a card as payment methods and charges show it, but for what they do not have in common.
func (c Card) show() object {
	return object{
		"brand": c.brand(), "last4": c.last4(), "fingerprint": c.fingerprint(), "exp_month": 12, "exp_year": 2040, "country": "GB",
		"funding": "credit", "checks": nil, "wallet": nil,
	}
}

func (m *method) show() object {
	card := m.Card.show()
	card["display_brand"], card["generated_from"], card["networks"], card["three_d_secure_usage"] = m.Card.brand(), nil, nil, nil
	return object{
		"id": m.ID, "object": "payment_method", "type": "card", "card": card, "created": m.Created, "customer": m.Customer, "livemode": false,
		"billing_details": object{"address": nil, "email": nil, "name": nil, "phone": nil, "tax_id": nil}, "metadata": object{},
	}
}

// give keeps a card with a customer, and gives its id. What is charged to it is the caller's to say.
func (s *Sandbox) give(to *customer, card Card, id string) string {
	made := &method{ID: id, Customer: to.ID, Card: card, Created: s.now().Unix()}
	s.state.Methods.add(made)
	s.tell("payment_method.attached", made.show())
	return made.ID
}

// methodOf finds a card of a customer, unless they are deleted.
func (s *Sandbox) methodOf(customerID, id string) (*method, bool) {
	found, ok := s.state.Methods.get(id)
	if _, there := s.payer(customerID); !ok || !there || found.Customer != customerID {
		return nil, false
	}
	return found, true
}

// methodBy finds a card, whose customer is not deleted.
func (s *Sandbox) methodBy(id string) (*method, bool) {
	found, ok := s.state.Methods.get(id)
	if !ok {
		return nil, false
	}
	return s.methodOf(found.Customer, id)
}

// charged is what a subscription's invoices are charged to: its own card, or else its customer's; one without anything where there
// is none.
func (s *Sandbox) charged(found *subscription) *method {
	for _, id := range []string{found.Default, s.payerOrNil(found.Customer).Default} {
		if m, ok := s.methodOf(found.Customer, id); ok {
			return m
		}
	}
	return new(method)
}

func (s *Sandbox) paymentMethod(c *call) (object, error) {
	if err := c.finish(); err != nil {
		return nil, err
	}
	found, ok := s.methodBy(c.path)
	if !ok {
		return nil, missing("PaymentMethod", c.path)
	}
	return found.show(), nil
}
