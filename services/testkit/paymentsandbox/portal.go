package paymentsandbox

// redirect is where a flow leads to once it is done.
const redirect = "redirect"

// portal is the page where a customer changes their card.
type portal struct {
	ID        string `json:"id"`
	URL       string `json:"url"`
	Customer  string `json:"customer"`
	ReturnURL string `json:"returnUrl"`
	Flow      string `json:"flow"`
	// After is where a flow leads once a card is given; empty: it stays at the page.
	After   string `json:"after,omitempty"`
	Created int64  `json:"created"`
}

func (p *portal) id() string { return p.ID }

func (p *portal) show() object {
	shown := object{
		"id": p.ID, "object": "billing_portal.session", "configuration": "bpc_sandbox", "created": p.Created, "customer": p.Customer,
		"livemode": false, "url": p.URL, "return_url": orNull(p.ReturnURL), "flow": nil, "locale": nil, "on_behalf_of": nil,
	}
	if p.Flow != "" {
		shown["flow"] = object{
			"type": p.Flow, "after_completion": p.showAfter(),
			"subscription_cancel": nil, "subscription_update": nil, "subscription_update_confirm": nil,
		}
	}
	return shown
}

func (p *portal) showAfter() object {
	if p.After == "" {
		return object{"type": "portal_homepage", "hosted_confirmation": nil, "redirect": nil}
	}
	return object{"type": redirect, "hosted_confirmation": nil, redirect: object{"return_url": p.After}}
}

func (s *Sandbox) createPortal(c *call) (object, error) {
	made := &portal{ID: newID("bps"), Customer: c.must("customer"), ReturnURL: c.text("return_url"), Created: s.now().Unix()}
	if c.has("flow_data") {
		flow := c.part("flow_data")
		made.Flow = flow.one("type", "payment_method_update")
		if after := flow.part("after_completion"); flow.has("after_completion") && after.one("type", "portal_homepage", redirect) == redirect {
			made.After = after.part(redirect).must("return_url")
		}
	}
	if err := c.finish(); err != nil {
		return nil, err
	}
	if _, ok := s.payer(made.Customer); !ok {
		return nil, unknown("customer", "customer", made.Customer)
	}
	made.URL = s.address(c.host) + "/p/session/" + made.ID
	s.state.Portals.add(made)
	return made.show(), nil
}

// ChangeCard gives a customer another card, as the customer does on the portal's page. The card becomes the customer's default and
// is charged nothing; a subscription with its own card keeps that one. ChangeCard takes a card that fails only at renewals, and
// refuses one that is declined at once.
func (s *Sandbox) ChangeCard(customerID string, card Card) error {
	return s.locked(func() error {
		found, ok := s.payer(customerID)
		if !ok {
			return missing("customer", customerID)
		}
		if card.decline(false) != "" {
			return ErrDeclined
		}
		found.Default = s.give(found, card, newID("pm"))
		s.tell("customer.updated", found.show())
		if s.config.PortalPays {
			s.payWith(found)
		}
		return nil
	})
}
