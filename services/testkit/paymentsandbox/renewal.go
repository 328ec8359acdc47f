package paymentsandbox

import "time"

// retryAfter are the waits between the attempts to collect a renewal; after the last the subscription ends.
var retryAfter = []time.Duration{3 * 24 * time.Hour, 5 * 24 * time.Hour, 7 * 24 * time.Hour}

// settle does what fell due by itself.
func (s *Sandbox) settle() {
	s.expireSessions()
	for _, found := range s.state.Subscriptions.Items {
		for s.renew(found) {
		}
	}
}

// Advance lets time pass for all that is there: checkouts and promotion codes expire, subscriptions renew, idempotency keys are
// forgotten. What is
// made afterwards begins at the present, so that callers whose clocks stand still can go on buying.
func (s *Sandbox) Advance(by time.Duration) {
	_ = s.locked(func() error {
		seconds := int64(by.Seconds())
		for _, found := range s.state.Sessions.Items {
			found.Ahead += seconds
		}
		for _, found := range s.state.Subscriptions.Items {
			found.Ahead += seconds
		}
		for _, found := range s.state.Coupons.Items {
			found.Ahead += seconds
		}
		for _, found := range s.state.PromotionCodes.Items {
			found.Ahead += seconds
		}
		for _, kept := range s.state.Answers {
			kept.At -= seconds
		}
		s.settle()
		return nil
	})
}

// renew does the next thing that is due of a subscription, and says whether there was one.
func (s *Sandbox) renew(found *subscription) bool {
	now := s.timeOf(found)
	switch {
	case found.Status == canceled:
		return false
	case found.RetryAt != 0 && found.RetryAt <= min(now, found.PeriodEnd):
		bill, _ := s.state.Invoices.get(found.LatestInvoice)
		s.collect(found, bill, found.RetryAt)
		return true
	case found.PeriodEnd <= now:
		found.Periods++
		found.PeriodStart, found.PeriodEnd = found.PeriodEnd, found.periodEnd(found.Periods)
		s.dropDiscount(found)
		bill := s.bill(found, "subscription_cycle", s.renewalPayment(found))
		bill.Created = found.PeriodStart
		s.collect(found, bill, found.PeriodStart)
		return true
	}
	return false
}

func (s *Sandbox) renewalPayment(found *subscription) *payment {
	due := s.goods(found.Lines)
	if d, ok := s.state.Discounts.get(found.Discount); ok {
		due -= s.off(d.Coupon, found.Lines)
	}
	if due == 0 {
		return nil
	}
	made := &payment{
		ID: newID("pi"), Customer: found.Customer, Amount: due, Currency: found.Currency, Metadata: map[string]string{},
		Created: found.PeriodStart, Status: needsCard,
	}
	s.state.Payments.add(made)
	return made
}

// collect tries the customer's card at a time.
func (s *Sandbox) collect(found *subscription, bill *invoice, at int64) {
	p, owed := s.state.Payments.get(bill.Payment)
	var card Card
	if payer, ok := s.payer(found.Customer); ok && payer.Card != nil {
		card = *payer.Card
	}
	if !owed || s.take(p, card, card.decline(true)) {
		found.Status, found.RetryAt = active, 0
		s.paidInvoice(bill)
		bill.PaidAt = at
		s.tell("customer.subscription.updated", s.showSubscription(found))
		return
	}
	bill.Attempts++
	s.tell("invoice.payment_failed", s.showInvoice(bill))
	if bill.Attempts > len(retryAfter) {
		s.end(found)
		return
	}
	found.Status, found.RetryAt = pastDue, at+int64(retryAfter[bill.Attempts-1].Seconds())
	s.tell("customer.subscription.updated", s.showSubscription(found))
}

// forgetOld drops keys that repeat nothing any more, and events after 30 days, as Stripe does.
func (s *Sandbox) forgetOld() {
	for key, kept := range s.state.Answers {
		if s.now().Unix()-kept.At >= int64(keyLife.Seconds()) {
			delete(s.state.Answers, key)
		}
	}
	s.state.Events.dropWhile(func(e *event) bool { return s.now().Unix()-e.Created > int64(eventLife.Seconds()) })
}
