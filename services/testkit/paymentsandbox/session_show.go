package paymentsandbox

func (s *Sandbox) showSession(found *session) object {
	shown := object{
		"id": found.ID, "object": "checkout.session", "livemode": false, "mode": found.Mode, "status": found.Status,
		"payment_status": found.PaymentStatus, "created": found.Created, "expires_at": found.ExpiresAt, "url": nil,
		"amount_subtotal": s.goods(found.Lines), "amount_total": s.total(found), "currency": found.Currency,
		"client_reference_id": orNull(found.Reference), "metadata": found.Metadata, "customer": orNull(found.Customer),
		"customer_email": orNull(found.Email), "success_url": found.SuccessURL, "cancel_url": orNull(found.CancelURL),
		"payment_intent": nil, "invoice": orNull(found.Invoice), "subscription": orNull(found.Subscription),
		"automatic_tax": object{"enabled": false, "liability": nil, "provider": nil, "status": nil},
		"custom_fields": []object{}, "custom_text": showNote(found.Note), "payment_method_types": []string{"card"},
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

func (s *Sandbox) showLines(found *session) object {
	off := s.offEach(s.off(found.Coupon, found.Lines), found.Lines)
	return showList("/v1/checkout/sessions/"+found.ID+"/line_items", found.Lines, false, func(l line) object {
		p, _ := s.state.Prices.get(l.Price)
		sold, _ := s.state.Products.get(p.Product)
		return object{
			"id": l.ID, "object": "item", "amount_discount": off[l.ID], "amount_tax": 0, "amount_subtotal": s.amount(l), "amount_total": s.amount(l) - off[l.ID],
			"currency": p.Currency, "description": sold.Name, "price": p.show(), "quantity": l.Quantity, "metadata": l.Metadata,
			"adjustable_quantity": nil,
		}
	})
}
