package paymentsandbox

// payInvoice tries to collect an open invoice out of its turn, from a card that the caller names or the one of its subscription. The
// attempts that are planned stay as they are where it is declined.
func (s *Sandbox) payInvoice(c *call) (object, error) {
	card := c.text("payment_method")
	if err := c.finish(); err != nil {
		return nil, err
	}
	bill, ok := s.state.Invoices.get(c.path)
	if !ok {
		return nil, missing("invoice", c.path)
	}
	of, _ := s.state.Subscriptions.get(bill.Subscription)
	from := s.charged(of)
	if card != "" {
		if from, ok = s.methodOf(bill.Customer, card); !ok {
			return nil, unknown("payment_method", "PaymentMethod", card)
		}
	}
	switch {
	case bill.Status == paid:
		return nil, refused("", "Invoice is already paid")
	case from.Card == "":
		return nil, chargeable(from)
	}
	if err := s.payNow(of, bill, from); err != nil {
		return nil, err
	}
	return s.showInvoice(bill), nil
}

// payNow collects an open invoice from a card, out of its turn.
func (s *Sandbox) payNow(of *subscription, bill *invoice, from *method) error {
	if s.collected(bill, from) {
		if of.Status == canceled || of.LatestInvoice != bill.ID { // what has ended stays so, and what owes for a later period
			s.paidInvoice(bill, s.timeOf(of))
			return nil
		}
		s.mended(of, bill, s.timeOf(of))
		s.plan(of)
		return nil
	}
	s.tellInvoice("invoice.payment_failed", bill)
	return declined(from.Card.decline(true))
}

// payWith gives a customer's new card to what is past due, and tries it.
func (s *Sandbox) payWith(payer *customer) {
	for _, found := range s.state.Subscriptions.Items {
		bill, billed := s.state.Invoices.get(found.LatestInvoice)
		if found.Customer != payer.ID || found.Status != pastDue || !billed {
			continue
		}
		s.chargeTo(found, payer.Default)
		_ = s.payNow(found, bill, s.charged(found)) // the planned attempts go on
	}
}
