package paymentsandbox

import (
	"fmt"
	"regexp"
	"strings"
)

// promotionCode is what people type to get a coupon.
type promotionCode struct {
	ID       string            `json:"id"`
	Code     string            `json:"code"`
	Coupon   string            `json:"coupon"`
	Active   bool              `json:"active"`    // false once it was switched off
	First    bool              `json:"firstTime"` // for customers who have paid nothing yet
	Metadata map[string]string `json:"metadata"`
	Created  int64             `json:"created"`
	limits
}

func (p *promotionCode) id() string  { return p.ID }
func (p *promotionCode) made() int64 { return p.Created }

// activeCode says whether a code can be redeemed: a coupon that cannot takes its codes with it.
func (s *Sandbox) activeCode(p *promotionCode) bool {
	of, ok := s.state.Coupons.get(p.Coupon)
	return ok && p.Active && p.hold(s.now()) && of.hold(s.now())
}

func (s *Sandbox) showCode(p *promotionCode) object {
	return object{
		"id": p.ID, "object": "promotion_code", "code": p.Code, "active": s.activeCode(p), "livemode": false, "created": p.Created,
		"promotion": object{"type": "coupon", "coupon": p.Coupon}, "customer": nil, "customer_account": nil, "metadata": p.Metadata,
		"expires_at": orNone(p.Until), "max_redemptions": orNone(p.Max), "times_redeemed": p.Times,
		"restrictions": object{"first_time_transaction": p.First, "minimum_amount": nil, "minimum_amount_currency": nil},
	}
}

// goodCode is what a code can be made of.
var goodCode = regexp.MustCompile(`^[a-zA-Z0-9_-]{1,500}$`)

func (s *Sandbox) createCode(c *call) (object, error) {
	promotion := c.part("promotion")
	promotion.must("type")
	promotion.one("type", "coupon")
	made := &promotionCode{
		ID: newID("promo"), Code: c.text("code"), Coupon: promotion.must("coupon"), Active: true,
		First: c.part("restrictions").flag("first_time_transaction", false), Metadata: c.pairs("metadata"), Created: s.now().Unix(),
		limits: s.readLimits(c, "expires_at"),
	}
	if made.Code == "" {
		made.Code = shortID()
	}
	if !goodCode.MatchString(made.Code) {
		c.refuse("code", "", "A code can have letters, digits, dashes and underscores.")
	}
	if err := c.finish(); err != nil {
		return nil, err
	}
	of, ok := s.state.Coupons.get(made.Coupon)
	switch {
	case !ok:
		return nil, unknown("promotion[coupon]", "coupon", made.Coupon)
	case of.Max != 0 && made.Max > of.Max:
		return nil, invalid("max_redemptions", "", "A code can be redeemed no more often than its coupon.")
	case of.Until != 0 && made.Until > of.Until:
		return nil, invalid("expires_at", "", "A code can be redeemed no longer than its coupon.")
	}
	if err := s.codeIsFree(made.Code); err != nil {
		return nil, err
	}
	s.state.PromotionCodes.add(made)
	s.tell("promotion_code.created", s.showCode(made))
	return s.showCode(made), nil
}

// codeIsFree refuses letters that another active code has, in whatever case.
func (s *Sandbox) codeIsFree(letters string) error {
	for _, other := range s.state.PromotionCodes.Items {
		if strings.EqualFold(other.Code, letters) && s.activeCode(other) {
			return refused("", fmt.Sprintf("An active promotion code with `code: %s` already exists.", letters))
		}
	}
	return nil
}

// updateCode switches a code off, or on again where it could still be redeemed.
func (s *Sandbox) updateCode(c *call) (object, error) {
	p, ok := s.state.PromotionCodes.get(c.path)
	if !ok {
		return nil, missing("promotion code", c.path)
	}
	changed := *p
	changed.Active = c.flag("active", p.Active)
	if err := c.finish(); err != nil {
		return nil, err
	}
	if changed.Active && !p.Active {
		if !s.activeCode(&changed) {
			return nil, invalid("active", "", "A code that cannot be redeemed any more cannot be active.")
		}
		if err := s.codeIsFree(changed.Code); err != nil {
			return nil, err
		}
	}
	*p = changed
	s.tell("promotion_code.updated", s.showCode(p))
	return s.showCode(p), nil
}

func (s *Sandbox) promotionCode(c *call) (object, error) {
	if err := c.finish(); err != nil {
		return nil, err
	}
	p, ok := s.state.PromotionCodes.get(c.path)
	if !ok {
		return nil, missing("promotion code", c.path)
	}
	return s.showCode(p), nil
}

func (s *Sandbox) listCodes(c *call) (object, error) {
	l, code := c.listing(), c.text("code")
	active, anyState := c.flag("active", true), !c.has("active")
	if err := c.finish(); err != nil {
		return nil, err
	}
	return page(l, "/v1/promotion_codes", s.state.PromotionCodes.Items, func(p *promotionCode) bool {
		return (anyState || s.activeCode(p) == active) && (code == "" || strings.EqualFold(p.Code, code))
	}, s.showCode)
}
