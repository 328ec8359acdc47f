package paymentsandbox

import "time"

// retryAfter are the waits between the attempts to collect a renewal.
var retryAfter = []time.Duration{3 * 24 * time.Hour, 5 * 24 * time.Hour, 7 * 24 * time.Hour}

// Advance lets time pass for all that is there: checkouts and promotion codes expire, subscriptions renew, idempotency keys are
// forgotten. What is made afterwards begins at the present, so that callers whose clocks stand still can go on buying.
func (s *Sandbox) Advance(by time.Duration) {
	_ = s.locked(func() error {
		seconds := int64(by.Seconds())
		for _, found := range s.state.Coupons.Items {
			found.Ahead += seconds
		}
		for _, found := range s.state.PromotionCodes.Items {
			found.Ahead += seconds
		}
		for _, kept := range s.state.Answers {
			kept.At -= seconds
		}
		s.advance(seconds, func(string) bool { return true })
		return nil
	})
}

// AdvanceCustomer lets time pass for one customer alone: for their checkouts and subscriptions.
func (s *Sandbox) AdvanceCustomer(id string, by time.Duration) error {
	return s.locked(func() error {
		if _, ok := s.payer(id); !ok {
			return missing("customer", id)
		}
		s.advance(int64(by.Seconds()), func(customer string) bool { return customer == id })
		return nil
	})
}

func (s *Sandbox) advance(seconds int64, whose func(customer string) bool) {
	for _, found := range s.state.Sessions.Items {
		if whose(found.Customer) {
			found.Ahead += seconds
		}
	}
	for _, found := range s.state.Subscriptions.Items {
		if whose(found.Customer) {
			found.Ahead += seconds
		}
	}
	s.replan()
	s.settle()
}

// renew begins the next period, and tries to collect it.
func (s *Sandbox) renew(found *subscription) {
	found.Periods++
	found.PeriodStart, found.PeriodEnd = found.PeriodEnd, found.periodEnd(found.Periods)
	s.dropDiscount(found)
	bill := s.draft(found, "subscription_cycle", found.Lines, found.PeriodStart)
	found.Debit = &debit{s.billed(bill), found.PeriodStart}
	s.keep(found, bill)
	s.demand(bill, found.PeriodStart)
	s.collect(found, bill, found.PeriodStart)
}

// collect tries a subscription's card at a time. After the last attempt the subscription stays past due until somebody ends it, as an
// account can be set; Config.EndUnpaid has it end.
func (s *Sandbox) collect(found *subscription, bill *invoice, at int64) {
	found.RetryAt = 0
	if s.collected(bill, s.charged(found)) {
		s.mended(found, bill, at)
		return
	}
	bill.Attempts++
	found.Status = pastDue
	last := bill.Attempts > len(retryAfter)
	if !last {
		found.RetryAt = at + int64(retryAfter[bill.Attempts-1].Seconds())
	}
	s.tellInvoice("invoice.payment_failed", bill)
	if last && s.config.EndUnpaid {
		found.EndedUnpaid = true
		s.end(found, at)
		return
	}
	s.tellSubscription("customer.subscription.updated", found)
}

// collected says whether an invoice's money came from a card, or none was due.
func (s *Sandbox) collected(bill *invoice, from *method) bool {
	p, owed := s.state.Payments.get(bill.Payment)
	return !owed || s.take(p, from, from.Card.decline(true))
}

func (s *Sandbox) mended(found *subscription, bill *invoice, at int64) {
	found.Status, found.RetryAt = active, 0
	s.paidInvoice(bill, at)
	s.tellSubscription("customer.subscription.updated", found)
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
