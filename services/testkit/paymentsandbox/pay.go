package paymentsandbox

import (
	"errors"
	"fmt"
	"slices"
)

// Answers of the page where somebody pays.
var (
	// ErrDeclined: the bank says no; the checkout stays open.
	ErrDeclined = errors.New("the card was declined")
	// ErrConfirm: the bank wants the payment to be confirmed; Confirm goes on.
	ErrConfirm = errors.New("the bank asks for a confirmation")
	// ErrNotOpen: there is no such checkout, or it is over.
	ErrNotOpen = errors.New("the checkout is not open")
	// ErrNotPayable: what was sent is not what the checkout asks for.
	ErrNotPayable = errors.New("the checkout asks for something else")
	// ErrCode: a promotion code is not taken; what is wrapped around it says why.
	ErrCode = errors.New("the promotion code is not taken")
)

// Payer is who pays: a card, and an address where the checkout asks for one.
type Payer struct {
	Card Card `json:"card"`
	// Email is required if the checkout has neither a customer nor an e-mail address.
	Email   string   `json:"email"`
	Address *Address `json:"address,omitempty"`
}

// Pay pays an open checkout with a card, as somebody on its page does, with an invented address where one is asked for.
func (s *Sandbox) Pay(sessionID string, card Card) error {
	return s.PayAs(sessionID, Payer{Card: card})
}

// PayAs is Pay with an address of the caller's.
func (s *Sandbox) PayAs(sessionID string, as Payer) error {
	return s.locked(func() error {
		found, ok := s.state.Sessions.get(sessionID)
		if !ok || found.Status != open {
			return ErrNotOpen
		}
		if len(found.Countries) > 0 && as.Address == nil {
			as.Address = &Address{Name: "Test Person", Line1: "1 Sample Street", City: "Bath", PostalCode: "BA1 1AA", Country: found.Countries[0]}
		}
		return s.pay(found, as, false)
	})
}

// Confirm answers the bank's question about a payment that NeedsConfirmation.
func (s *Sandbox) Confirm(sessionID string, yes bool) error {
	return s.locked(func() error {
		found, ok := s.state.Sessions.get(sessionID)
		if !ok || found.Status != open || found.Waiting == nil {
			return ErrNotOpen
		}
		as := *found.Waiting
		found.Waiting = nil
		if !yes {
			s.attempt(found, as, "authentication_required")
			return ErrDeclined
		}
		return s.pay(found, as, true)
	})
}

func (s *Sandbox) pay(found *session, as Payer, confirmed bool) error {
	if len(found.Countries) == 0 {
		as.Address = nil
	} else if as.Address == nil || !slices.Contains(found.Countries, as.Address.Country) {
		return fmt.Errorf("%w: an address in %v", ErrNotPayable, found.Countries)
	}
	if err := s.stillTaken(found); err != nil {
		return err
	}
	cardIsUsed := s.asksForCard(found)
	if as.Card == NeedsConfirmation && !confirmed && cardIsUsed {
		found.Waiting = &as
		return ErrConfirm
	}
	decline := as.Card.decline(false)
	if !cardIsUsed {
		decline = ""
	}
	paidBy := s.attempt(found, as, decline)
	if decline != "" {
		return ErrDeclined
	}
	s.finish(found, as, paidBy)
	return nil
}

// attempt tries the card; a checkout keeps one payment over all its attempts. Nothing to pay needs none.
func (s *Sandbox) attempt(found *session, as Payer, decline string) *payment {
	if s.asked(found) == 0 {
		return nil
	}
	p, ok := s.state.Payments.get(found.Attempt)
	if !ok {
		p = &payment{
			ID: newID("pi"), Customer: found.Customer, Amount: s.asked(found), Currency: found.Currency,
			Metadata: found.PassedOn, Created: s.now().Unix(), Status: needsCard,
		}
		if found.Mode == modeSubscription {
			p.Metadata = map[string]string{}
		}
		found.Attempt = p.ID
		s.state.Payments.add(p)
	}
	p.Amount = s.asked(found) // a code can have come or gone since the attempt before
	s.take(p, &method{ID: newID("pm"), Card: as.Card}, decline)
	return p
}

// finish completes a checkout whose money came.
func (s *Sandbox) finish(found *session, as Payer, paidBy *payment) {
	s.redeem(found)
	s.payingCustomer(found, as)
	found.Status, found.PaymentStatus, found.SentTo = complete, "no_payment_required", as.Address
	if paidBy != nil {
		found.PaymentStatus, found.Payment = paid, paidBy.ID
		paidBy.Customer = found.Customer
	}
	if found.Mode == modeSubscription {
		s.subscribe(found, paidBy, s.cardToKeep(found, as, paidBy))
	}
	s.tell("checkout.session.completed", s.showSession(found))
}

// payingCustomer creates a customer for a subscription whose checkout was opened without a customer.
func (s *Sandbox) payingCustomer(found *session, as Payer) {
	if _, ok := s.payer(found.Customer); ok {
		return
	}
	if found.Email == "" {
		found.Email = as.Email
	}
	if found.Mode != modeSubscription {
		return
	}
	made := &customer{ID: newID("cus"), Email: found.Email, Metadata: map[string]string{}, Created: s.now().Unix()}
	s.state.Customers.add(made)
	s.tell("customer.created", made.show())
	found.Customer = made.ID
}

// cardToKeep keeps the card of a subscription's checkout with the customer, and gives its id: what is paid once keeps none.
func (s *Sandbox) cardToKeep(found *session, as Payer, paidBy *payment) string {
	payer, ok := s.payer(found.Customer)
	switch {
	case !ok || as.Card == "":
		return ""
	case paidBy != nil:
		return s.give(payer, as.Card, paidBy.Method)
	}
	return s.give(payer, as.Card, newID("pm"))
}
