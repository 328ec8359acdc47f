package paymentsandbox

import "net/http"

// What a change has to say: it is charged at once, or not made.
const (
	paymentBehaviour   = "payment_behavior"   //nolint:misspell // Stripe's word
	prorationBehaviour = "proration_behavior" //nolint:misspell // likewise
	alwaysInvoice      = "always_invoice"
)

// updateSubscription changes the price or the card, or has the subscription end with its period, or takes that back.
func (s *Sandbox) updateSubscription(c *call) (object, error) {
	found, ok := s.state.Subscriptions.get(c.path)
	if !ok {
		return nil, missing("subscription", c.path)
	}
	if found.Status == canceled {
		return nil, refused("", "A canceled subscription can only update its cancellation_details and metadata.")
	}
	if c.has("items") {
		return s.changePrice(c, found)
	}
	asked, card := readCancellation(c, found), found.Default
	if c.has(defaultMethod) {
		card = c.must(defaultMethod)
	}
	if err := c.finish(); err != nil {
		return nil, err
	}
	if _, ok := s.methodOf(found.Customer, card); !ok && card != found.Default {
		return nil, unknown(defaultMethod, "PaymentMethod", card)
	}
	s.cancelAtEnd(found, asked)
	s.chargeTo(found, card)
	return s.showSubscription(found), nil
}

const defaultMethod = "default_payment_method"

// chargeTo sets the subscription's own default card. It charges nothing.
func (s *Sandbox) chargeTo(found *subscription, card string) {
	if card != found.Default {
		found.Default = card
		s.tellSubscription("customer.subscription.updated", found)
	}
}

func (s *Sandbox) changePrice(c *call, found *subscription) (object, error) {
	c.must(paymentBehaviour)
	c.one(paymentBehaviour, "error_if_incomplete")
	asked, err := s.readMove(c.params, c.params, found)
	if err != nil {
		return nil, err
	}
	if asked.to.ID == found.Lines[0].Price {
		return s.showSubscription(found), nil
	}
	after, bill := s.moved(asked)
	if due := s.due(bill); due > 0 {
		if err := chargeable(s.charged(found)); err != nil {
			return nil, err
		}
	}
	*found = after
	s.keep(found, bill)
	s.demand(bill, asked.now)
	s.collect(found, bill, asked.now)
	s.plan(found)
	return s.showSubscription(found), nil
}

// chargeable says why a card is not charged: nothing is changed then.
func chargeable(m *method) error {
	if m.Card == "" {
		return refused("resource_missing", "This customer has no attached payment source or default payment method.")
	}
	if decline := m.Card.decline(true); decline != "" {
		return declined(decline)
	}
	return nil
}

func declined(why string) error {
	return &apiError{
		status: http.StatusPaymentRequired, Type: "card_error", Code: "card_declined", Decline: why, Message: "Your card was declined.",
	}
}

// readMove takes one item with another price, prorated to a moment of the present period and invoiced at once.
func (s *Sandbox) readMove(whole, p *params, of *subscription) (move, error) {
	asked := move{of: of, now: s.timeOf(of), at: s.timeOf(of)}
	p.must(prorationBehaviour)
	p.one(prorationBehaviour, alwaysInvoice)
	if p.has("proration_date") {
		asked.at = of.moment(p.whole("proration_date", 0, 0))
	}
	items := p.list("items")
	if len(items) != 1 {
		p.refuse("items", "", "The sandbox changes the one item that a subscription has.")
		return asked, whole.finish()
	}
	item, price := items[0].must("id"), items[0].must("price")
	if quantity := items[0].whole("quantity", of.Lines[0].Quantity, 1); quantity != of.Lines[0].Quantity {
		items[0].refuse("quantity", "", "The sandbox changes prices alone.")
	}
	if err := whole.finish(); err != nil {
		return asked, err
	}
	to, ok := s.state.Prices.get(price)
	asked.to = to
	switch {
	case item != "si_"+of.Lines[0].ID || len(of.Lines) > 1:
		return asked, unknown("items[0][id]", "subscription_item", item)
	case !ok:
		return asked, unknown("items[0][price]", "price", price)
	case !to.Active:
		return asked, invalid("items[0][price]", "", "The price specified is inactive.")
	case to.Interval == "" || to.Currency != of.Currency:
		return asked, invalid("items[0][price]", "", "The price must be recurring, and in the subscription's currency.")
	case of.Status != active:
		return asked, refused("", "The sandbox changes no subscription that is past due.")
	case asked.at < of.debited(s).From || asked.at > of.PeriodEnd:
		return asked, invalid("proration_date", "", "Must be within the current period, and not before its last change.")
	}
	return asked, nil
}

// moment is a time that a caller names, where the subscription is: a clock that stands still names the present, which Advance left.
func (s *subscription) moment(named int64) int64 {
	if named < s.PeriodStart {
		return named + s.Ahead
	}
	return named
}

// previewInvoice says what a change of the price would come to.
func (s *Sandbox) previewInvoice(c *call) (object, error) {
	id, customer, details := c.must("subscription"), c.text("customer"), c.part("subscription_details")
	found, ok := s.state.Subscriptions.get(id)
	if !ok || found.Status == canceled {
		return nil, unknown("subscription", "subscription", id)
	}
	if customer != "" && customer != found.Customer {
		return nil, unknown("customer", "customer", customer)
	}
	asked, err := s.readMove(c.params, details, found)
	if err != nil {
		return nil, err
	}
	bill := s.draft(found, "subscription_update", nil, asked.now)
	if asked.to.ID != found.Lines[0].Price {
		_, bill = s.moved(asked)
	}
	bill.ID = newID("upcoming_in")
	shown := s.showInvoice(bill)
	shown["parent"].(object)["subscription_details"].(object)["subscription_proration_date"] = asked.at
	return shown, nil
}
