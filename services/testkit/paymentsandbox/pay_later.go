package paymentsandbox

import "slices"

// processing is the state of a payment whose money has not come yet.
const processing = "processing"

// PayLater completes an open checkout by a debit of a bank account, where it takes those. The money comes, or does not, when Arrive says so.
func (s *Sandbox) PayLater(sessionID string) error {
	return s.locked(func() error {
		found, ok := s.state.Sessions.get(sessionID)
		if !ok || found.Status != open {
			return ErrNotOpen
		}
		if !slices.Contains(found.methods(), byDebit) || s.asked(found) == 0 || len(found.Countries) > 0 {
			return ErrNotPayable
		}
		if err := s.stillTaken(found); err != nil {
			return err
		}
		s.redeem(found)
		p := &payment{
			ID: newID("pi"), Customer: found.Customer, Amount: s.asked(found), Currency: found.Currency, Metadata: found.PassedOn,
			Created: s.now().Unix(), Status: processing,
		}
		s.state.Payments.add(p)
		found.Status, found.Payment = complete, p.ID
		was := *p
		s.tellOf("payment_intent.processing", was.show)
		s.tell("checkout.session.completed", s.showSession(found))
		return nil
	})
}

// Arrive has the money of a checkout that was paid by PayLater come, or fail.
func (s *Sandbox) Arrive(sessionID string, comes bool) error {
	return s.locked(func() error {
		found, ok := s.state.Sessions.get(sessionID)
		if !ok || found.Status != complete || found.PaymentStatus != unpaid {
			return ErrNotOpen
		}
		p, _ := s.state.Payments.get(found.Payment)
		if p.Status != processing {
			return ErrNotOpen
		}
		if !s.take(p, &method{ID: newID("pm")}, map[bool]string{false: "generic_decline"}[comes]) {
			s.tell("checkout.session.async_payment_failed", s.showSession(found))
			return nil
		}
		found.PaymentStatus = paid
		s.tell("checkout.session.async_payment_succeeded", s.showSession(found))
		return nil
	})
}
