package paymentsandbox

import "slices"

func (s *Sandbox) showSession(found *session) object {
	shown := object{
		"id": found.ID, "object": "checkout.session", "livemode": false, "mode": found.Mode, "status": found.Status,
		"payment_status": found.PaymentStatus, "created": found.Created, "expires_at": found.ExpiresAt, "url": nil,
		"amount_subtotal": s.goods(found.Lines), "amount_total": s.total(found), "currency": found.Currency,
		"client_reference_id": orNull(found.Reference), "metadata": found.Metadata, "customer": orNull(found.Customer),
		"customer_email": orNull(found.Email), "success_url": found.SuccessURL, "cancel_url": orNull(found.CancelURL),
		"payment_intent": nil, "invoice": orNull(found.Invoice), "subscription": orNull(found.Subscription),
		"automatic_tax": object{"enabled": false, "liability": nil, "provider": nil, "status": nil},
		"custom_fields": []object{}, "custom_text": showNote(found.Note), "payment_method_types": found.methods(),
		"shipping_options": []object{}, "shipping_cost": nil, "shipping_address_collection": nil,
		"customer_details": s.showDetails(found), "collected_information": nil, "locale": nil, "ui_mode": "hosted_page",
		"total_details": object{
			"amount_discount": s.off(found.Coupon, found.Lines), "amount_tax": 0, "amount_shipping": found.delivery(),
		},
		"allow_promotion_codes": found.AllowCodes, "discounts": []object{}, "payment_method_collection": ifRequired,
	}
	if found.Code != "" {
		shown["discounts"] = []object{{"coupon": nil, "promotion_code": found.Code}} // Stripe names the coupon where it was given without a code
	}
	if found.CardAlways {
		shown["payment_method_collection"] = always
	}
	if found.Status == open {
		shown["url"] = found.URL
	}
	if found.Mode == modePayment {
		shown["payment_intent"] = orNull(found.Payment)
	}
	if len(found.Countries) > 0 {
		shown["shipping_address_collection"] = object{"allowed_countries": found.Countries}
	}
	if d := found.Shipping; d != nil {
		shown["shipping_options"] = []object{{"shipping_amount": d.Amount, "shipping_rate": d.ID}}
		shown["shipping_cost"] = object{"amount_subtotal": d.Amount, "amount_tax": 0, "amount_total": d.Amount, "shipping_rate": d.ID}
	}
	if a := found.SentTo; a != nil {
		shown["collected_information"] = object{
			"business_name": nil, "individual_name": nil, "shipping_details": object{"name": a.Name, "address": a.show()},
		}
	}
	return shown
}

func (a *Address) show() object {
	return object{
		"line1": a.Line1, "line2": orNull(a.Line2), "city": a.City, "postal_code": a.PostalCode, "country": a.Country, "state": nil,
	}
}

func showNote(note string) object {
	shown := object{"after_submit": nil, "shipping_address": nil, "submit": nil, "terms_of_service_acceptance": nil}
	if note != "" {
		shown["submit"] = object{"message": note}
	}
	return shown
}

func (s *Sandbox) showDetails(found *session) any {
	email, name := found.Email, ""
	if c, ok := s.payer(found.Customer); ok {
		email, name = c.Email, c.Name
	}
	if email == "" && name == "" {
		return nil
	}
	return object{
		"email": orNull(email), "name": orNull(name), "address": nil, "business_name": nil, "individual_name": nil, "phone": nil,
		"tax_exempt": "none", "tax_ids": []object{},
	}
}

// showLines are a checkout's by expansion: the first ten, as Stripe's.
func (s *Sandbox) showLines(found *session) object {
	shown := found.Lines[:min(len(found.Lines), pageSize)]
	return showList(linesOf(found), shown, len(shown) < len(found.Lines), s.lineShower(found))
}

func linesOf(found *session) string { return "/v1/checkout/sessions/" + found.ID + "/line_items" }

func (s *Sandbox) lineShower(found *session) func(line) object {
	off := s.offEach(s.off(found.Coupon, found.Lines), found.Lines)
	return func(l line) object {
		p, _ := s.state.Prices.get(l.Price)
		sold, _ := s.state.Products.get(p.Product)
		return object{
			"id": l.ID, "object": "item", "amount_discount": off[l.ID], "amount_tax": 0, "amount_subtotal": s.amount(l), "amount_total": s.amount(l) - off[l.ID],
			"currency": p.Currency, "description": sold.Name, "price": p.show(), "quantity": l.Quantity, "metadata": l.Metadata,
			"adjustable_quantity": nil,
		}
	}
}

// listLines are the pages of a checkout's lines, the first line first.
func (s *Sandbox) listLines(c *call) (object, error) {
	limit, after := c.whole("limit", pageSize, 1), c.text("starting_after")
	if limit > maxPageSize {
		c.refuse("limit", "parameter_invalid_integer", "This value must be less than or equal to 100.")
	}
	if err := c.finish(); err != nil {
		return nil, err
	}
	found, ok := s.state.Sessions.get(c.path)
	if !ok {
		return nil, missing("checkout.session", c.path)
	}
	from := 0
	if after != "" {
		i := slices.IndexFunc(found.Lines, func(l line) bool { return l.ID == after })
		if i < 0 {
			return nil, unknown("starting_after", "object", after)
		}
		from = i + 1
	}
	to := min(from+int(limit), len(found.Lines))
	return showList(linesOf(found), found.Lines[from:to], to < len(found.Lines), s.lineShower(found)), nil
}
