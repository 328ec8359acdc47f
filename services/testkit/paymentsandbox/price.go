package paymentsandbox

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

type price struct {
	ID        string            `json:"id"`
	Product   string            `json:"product"`
	LookupKey string            `json:"lookupKey"`
	Amount    int64             `json:"amount"`
	Currency  string            `json:"currency"`
	Interval  string            `json:"interval"` // empty for what is paid once
	Active    bool              `json:"active"`
	Metadata  map[string]string `json:"metadata"`
	Created   int64             `json:"created"`
	Tax       string            `json:"tax,omitempty"` // how its tax is reckoned; empty for unspecified
}

func (p *price) id() string  { return p.ID }
func (p *price) made() int64 { return p.Created }

func (p *price) show() object {
	shown := object{
		"id": p.ID, "object": "price", "active": p.Active, "billing_scheme": "per_unit", "created": p.Created,
		"currency": p.Currency, "livemode": false, "lookup_key": orNull(p.LookupKey), "metadata": p.Metadata, "nickname": nil,
		"product": p.Product, "recurring": nil, "tax_behavior": cmp.Or(p.Tax, "unspecified"), "type": "one_time", "custom_unit_amount": nil, //nolint:misspell // Stripe's word
		"tiers_mode": nil, "transform_quantity": nil, "unit_amount": p.Amount, "unit_amount_decimal": strconv.FormatInt(p.Amount, 10),
	}
	if p.Interval != "" {
		shown["type"] = "recurring"
		shown["recurring"] = object{"interval": p.Interval, "interval_count": 1, "usage_type": "licensed", "meter": nil}
	}
	return shown
}

func (s *Sandbox) createPrice(c *call) (object, error) {
	p := &price{
		ID: newID("price"), Product: c.must("product"), LookupKey: c.text("lookup_key"), Currency: strings.ToLower(c.must("currency")),
		Active: c.flag("active", true), Metadata: c.pairs("metadata"), Created: s.now().Unix(),
	}
	c.must("unit_amount")
	p.Amount = c.whole("unit_amount", 0, 0)
	if c.has("recurring") {
		p.Interval = c.part("recurring").one("interval", "month", "year", "week", "day")
	}
	if c.has("tax_behavior") { //nolint:misspell // Stripe's word
		p.Tax = c.one("tax_behavior", "inclusive", "exclusive", "unspecified") //nolint:misspell // Stripe's word
	}
	transfer := c.flag("transfer_lookup_key", false)
	if err := c.finish(); err != nil {
		return nil, err
	}
	if _, ok := s.state.Products.get(p.Product); !ok {
		return nil, unknown("product", "product", p.Product)
	}
	if earlier := s.priceBy(p.LookupKey); earlier != nil && p.LookupKey != "" {
		if !transfer {
			return nil, invalid("lookup_key", "", "A price already uses that lookup key.")
		}
		earlier.LookupKey = ""
		s.tell("price.updated", earlier.show())
	}
	s.state.Prices.add(p)
	s.tell("price.created", p.show())
	return p.show(), nil
}

func (s *Sandbox) priceBy(lookupKey string) *price {
	i := slices.IndexFunc(s.state.Prices.Items, func(p *price) bool { return p.LookupKey == lookupKey })
	if i < 0 {
		return nil
	}
	return s.state.Prices.Items[i]
}

func (s *Sandbox) price(c *call) (object, error) {
	if err := c.finish(); err != nil {
		return nil, err
	}
	p, ok := s.state.Prices.get(c.path)
	if !ok {
		return nil, missing("price", c.path)
	}
	return p.show(), nil
}

// maxLookupKeys that one list may ask for, as Stripe has it.
const maxLookupKeys = 10

func (s *Sandbox) listPrices(c *call) (object, error) {
	l, keys, product := c.listing(), c.texts("lookup_keys"), c.text("product")
	active := c.flag("active", true)
	anyState := !c.has("active")
	if len(keys) > maxLookupKeys {
		c.refuse("lookup_keys", "", "Too many lookup keys.")
	}
	if err := c.finish(); err != nil {
		return nil, err
	}
	return page(l, "/v1/prices", s.state.Prices.Items, func(p *price) bool {
		return (anyState || p.Active == active) && (product == "" || p.Product == product) &&
			(len(keys) == 0 || slices.Contains(keys, p.LookupKey))
	}, (*price).show)
}
