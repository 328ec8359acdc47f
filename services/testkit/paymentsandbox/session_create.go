package paymentsandbox

import (
	"net/url"
	"time"
)

// When a checkout asks for a card.
const (
	always     = "always"
	ifRequired = "if_required"
)

func (s *Sandbox) createSession(c *call) (object, error) {
	made := &session{
		ID: newID("cs_test"), Mode: c.one("mode", modePayment, modeSubscription), Customer: c.text("customer"),
		Email: c.text("customer_email"), Reference: c.text("client_reference_id"), Metadata: c.pairs("metadata"),
		SuccessURL: c.must("success_url"), CancelURL: c.text("cancel_url"), Note: c.part("custom_text").part("submit").text("message"),
		Status: open, PaymentStatus: unpaid, Created: s.now().Unix(),
	}
	c.must("mode")
	c.text("locale")
	made.Methods = c.texts("payment_method_types")
	for _, method := range made.Methods {
		if method != byCard && (method != byDebit || made.Mode != modePayment) {
			c.refuse("payment_method_types", "", "The sandbox takes card, and in `payment` mode bacs_debit.")
		}
	}
	made.PassedOn = c.part(map[string]string{modePayment: "payment_intent_data", modeSubscription: "subscription_data"}[made.Mode]).pairs("metadata")
	if c.has("allow_promotion_codes") {
		allowed := c.flag("allow_promotion_codes", false)
		made.AllowCodes = &allowed
	}
	if made.Mode == modeSubscription {
		made.CardAlways = c.one("payment_method_collection", always, ifRequired) == always
	}
	made.ExpiresAt = s.expiry(c)
	s.readLines(c, made)
	readDelivery(c, made)
	if err := c.finish(); err != nil {
		return nil, err
	}
	if total := s.total(made); made.Mode == modePayment && tooSmall(total, made.Currency) {
		return nil, amountTooSmall(made.Currency)
	}
	if made.Customer != "" {
		if _, ok := s.payer(made.Customer); !ok {
			return nil, unknown("customer", "customer", made.Customer)
		}
	}
	made.URL = s.address(c.host) + "/c/pay/" + made.ID
	s.state.Sessions.add(made)
	s.plan(made)
	return s.showSession(made), nil
}

func (s *Sandbox) expiry(c *call) int64 {
	at := time.Unix(c.whole("expires_at", s.now().Add(longestSession).Unix(), 0), 0)
	if at.Before(s.now().Add(shortestSession-clockSkew)) || at.After(s.now().Add(longestSession+clockSkew)) {
		c.refuse("expires_at", "", "The `expires_at` timestamp must be at least 30 minutes and at most 24 hours from Checkout Session creation.")
	}
	return at.Unix()
}

// readLines takes prices that are active, of one currency, and paid as the mode says.
func (s *Sandbox) readLines(c *call, made *session) {
	for _, item := range c.list("line_items") {
		l := line{ID: newID("li"), Price: item.must("price"), Quantity: item.whole("quantity", 1, 1), Metadata: item.pairs("metadata")}
		p, ok := s.state.Prices.get(l.Price)
		switch {
		case !ok:
			item.refuse("price", "resource_missing", "No such price: '"+l.Price+"'")
			continue
		case !p.Active:
			item.refuse("price", "", "The price specified is inactive.")
		case made.Mode == modePayment && p.Interval != "":
			item.refuse("price", "", "You specified `payment` mode but passed a recurring price.")
		case made.Mode == modeSubscription && p.Interval == "":
			// Stripe would add it to the first invoice; billing never asks for that.
			item.refuse("price", "", "The sandbox takes recurring prices alone in `subscription` mode.")
		case made.Currency != "" && made.Currency != p.Currency:
			item.refuse("price", "", "All prices of a Checkout Session must have the same currency.")
		}
		made.Currency = p.Currency
		made.Lines = append(made.Lines, l)
	}
	if len(made.Lines) == 0 {
		c.refuse("line_items", "parameter_missing", "Missing required param: line_items.")
	}
}

// readDelivery takes one inline delivery and the countries that are delivered to.
func readDelivery(c *call, made *session) {
	if c.has("shipping_address_collection") {
		made.Countries = c.part("shipping_address_collection").texts("allowed_countries")
		if len(made.Countries) == 0 {
			c.refuse("shipping_address_collection", "parameter_missing", "Missing required param: allowed_countries.")
		}
	}
	options := c.list("shipping_options")
	if len(options) > 1 || len(options) == 1 && made.Mode != modePayment {
		c.refuse("shipping_options", "", "The sandbox takes one shipping option, in `payment` mode.")
	}
	for _, option := range options {
		rate := option.part("shipping_rate_data")
		rate.one("type", "fixed_amount")
		fixed := rate.part("fixed_amount")
		fixed.must("amount")
		made.Shipping = &shipping{ID: newID("shr"), Name: rate.must("display_name"), Amount: fixed.whole("amount", 0, 0)}
		if fixed.must("currency") != made.Currency {
			fixed.refuse("currency", "", "The currency of the shipping rate must be that of the prices.")
		}
	}
}

func (s *Sandbox) address(host string) string {
	if s.config.URL != "" {
		return s.config.URL
	}
	return (&url.URL{Scheme: "http", Host: host}).String()
}
