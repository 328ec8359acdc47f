package paymentsandbox

// feedbacks are what a customer may say of why they cancel; the first takes back what was said.
var feedbacks = []string{
	"", "customer_service", "low_quality", "missing_features", "other", "switched_service", "too_complex", "too_expensive", "unused",
}

// cancellation is whether a subscription ends with its period, and what its customer says of why.
type cancellation struct {
	atEnd bool
	why   string
}

// readCancellation reads what is asked for. Taking a cancellation back forgets why, as at Stripe.
func readCancellation(c *call, found *subscription) cancellation {
	asked := cancellation{c.flag("cancel_at_period_end", found.CancelAtEnd), found.Feedback}
	if details := c.part("cancellation_details"); details.has("feedback") {
		asked.why = details.one("feedback", feedbacks...)
		if asked.why != "" && !asked.atEnd {
			details.refuse("feedback", "", "The sandbox asks only who cancels.")
		}
	}
	if !asked.atEnd {
		asked.why = ""
	}
	return asked
}

// cancelAtEnd has a subscription end with its period, or takes that back.
func (s *Sandbox) cancelAtEnd(found *subscription, asked cancellation) {
	if asked == (cancellation{found.CancelAtEnd, found.Feedback}) {
		return
	}
	if asked.atEnd != found.CancelAtEnd {
		found.CancelAsked = s.timeOf(found)
	}
	found.CancelAtEnd, found.Feedback = asked.atEnd, asked.why
	s.tellSubscription("customer.subscription.updated", found)
}

// showCancellation shows why a subscription ends or has ended.
func (s *subscription) showCancellation() object {
	shown := object{"comment": nil, "feedback": orNull(s.Feedback), "reason": nil}
	switch {
	case s.EndedUnpaid:
		shown["reason"] = "payment_failed"
	case s.CancelAtEnd || s.EndedAt != 0:
		shown["reason"] = "cancellation_requested"
	}
	return shown
}
