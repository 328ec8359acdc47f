package paymentsandbox

// portal is the page where a customer changes their card.
type portal struct {
	ID        string `json:"id"`
	URL       string `json:"url"`
	Customer  string `json:"customer"`
	ReturnURL string `json:"returnUrl"`
	Flow      string `json:"flow"`
	Created   int64  `json:"created"`
}

func (p *portal) id() string { return p.ID }

func (p *portal) show() object {
	shown := object{
		"id": p.ID, "object": "billing_portal.session", "configuration": "bpc_sandbox", "created": p.Created, "customer": p.Customer,
		"livemode": false, "url": p.URL, "return_url": orNull(p.ReturnURL), "flow": nil, "locale": nil, "on_behalf_of": nil,
	}
	if p.Flow != "" {
		shown["flow"] = object{
			"type": p.Flow, "after_completion": object{"type": "portal_homepage", "hosted_confirmation": nil, "redirect": nil},
			"subscription_cancel": nil, "subscription_update": nil, "subscription_update_confirm": nil,
		}
	}
	return shown
}

func (s *Sandbox) createPortal(c *call) (object, error) {
	made := &portal{ID: newID("bps"), Customer: c.must("customer"), ReturnURL: c.text("return_url"), Created: s.now().Unix()}
	if c.has("flow_data") {
		made.Flow = c.part("flow_data").one("type", "payment_method_update")
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

// ChangeCard gives a customer another card, as they do on the portal's page.
func (s *Sandbox) ChangeCard(customerID string, card Card) error {
	return s.locked(func() error {
		found, ok := s.payer(customerID)
		if !ok {
			return missing("customer", customerID)
		}
		if card.decline(false) != "" {
			return ErrDeclined
		}
		found.Card = &card
		s.tell("customer.updated", found.show())
		return nil
	})
}
