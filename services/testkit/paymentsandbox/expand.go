package paymentsandbox

import "strings"

// expand shows in full what an answer names by its id, or leaves out by itself.
func (s *Sandbox) expand(given object, paths []string) error {
	for _, path := range paths {
		if err := s.expandPath(given, path, strings.Split(path, ".")); err != nil {
			return err
		}
	}
	return nil
}

func (s *Sandbox) expandPath(at object, whole string, path []string) error {
	if len(path) == 0 {
		return nil
	}
	key, rest := path[0], path[1:]
	if ids, ok := at[key].([]string); ok && key == "discounts" {
		at[key] = s.findAll(ids)
		return s.expandEach(at[key].([]object), whole, rest)
	}
	if items, ok := at[key].([]object); ok && (at["has_more"] != nil || len(rest) > 0) {
		return s.expandEach(items, whole, rest)
	}
	value, there := at[key]
	if id, ok := value.(string); ok {
		if full, found := s.find(key, id); found {
			at[key], value = full, full
		}
	}
	if at["deleted"] == true {
		return nil // nothing of them is left to show
	}
	if !there {
		value = s.include(at, key)
	}
	switch value := value.(type) {
	case object:
		at[key] = value
		return s.expandPath(value, whole, rest)
	case nil:
		if there {
			return nil
		}
	}
	return invalid("expand", "", "This property cannot be expanded ("+whole+").")
}

func (s *Sandbox) expandEach(items []object, whole string, rest []string) error {
	for _, item := range items {
		if err := s.expandPath(item, whole, rest); err != nil {
			return err
		}
	}
	return nil
}

// include gives lists that are shown only to those who ask.
func (s *Sandbox) include(at object, key string) any {
	id, _ := at["id"].(string)
	switch {
	case at["object"] == "checkout.session" && key == "line_items":
		if found, ok := s.state.Sessions.get(id); ok {
			return s.showLines(found)
		}
	case at["object"] == "invoice" && key == "payments":
		if found, ok := s.state.Invoices.get(id); ok {
			return s.showPaymentsOf(found)
		}
	}
	return nil
}

// findAll shows discounts, which are named in lists.
func (s *Sandbox) findAll(ids []string) []object {
	shown := make([]object, len(ids))
	for i, id := range ids {
		found, _ := s.state.Discounts.get(id)
		shown[i] = found.show()
	}
	return shown
}

// find shows what an id names. Those of coupons are their makers' own, and can be those of something else.
func (s *Sandbox) find(as, id string) (object, bool) {
	if as == "coupon" {
		found, ok := s.state.Coupons.get(id)
		if !ok {
			return nil, false
		}
		return found.show(s.now()), true
	}
	if found, ok := s.state.PromotionCodes.get(id); ok {
		return s.showCode(found), true
	}
	if found, ok := s.state.Products.get(id); ok {
		return found.show(), true
	}
	if found, ok := s.state.Prices.get(id); ok {
		return found.show(), true
	}
	if found, ok := s.state.Customers.get(id); ok {
		if found.Deleted {
			return found.gone(), true
		}
		return found.show(), true
	}
	if found, ok := s.methodBy(id); ok {
		return found.show(), true
	}
	if found, ok := s.state.Discounts.get(id); ok {
		return found.show(), true
	}
	if found, ok := s.state.Subscriptions.get(id); ok {
		return s.showSubscription(found), true
	}
	if found, ok := s.state.Invoices.get(id); ok {
		return s.showInvoice(found), true
	}
	if found, ok := s.state.Payments.get(id); ok {
		return found.show(), true
	}
	if found, ok := s.chargeOf(id); ok {
		return found.showCharge(), true
	}
	return nil, false
}
