package paymentsandbox

import (
	"math/bits"
	"time"
)

// discount is a coupon that a subscription has.
type discount struct {
	ID           string `json:"id"`
	Coupon       string `json:"coupon"`
	Code         string `json:"code"` // the promotion code's id
	Customer     string `json:"customer"`
	Subscription string `json:"subscription"`
	Start        int64  `json:"start"`
	End          int64  `json:"end"` // 0 but for a coupon that is repeating
}

func (d *discount) id() string { return d.ID }

func (d *discount) show() object {
	return object{
		"id": d.ID, "object": "discount", "customer": orNull(d.Customer), "customer_account": nil, "start": d.Start, "end": orNone(d.End),
		"source": object{"type": "coupon", "coupon": d.Coupon}, "promotion_code": orNull(d.Code), "subscription": d.Subscription,
		"subscription_item": nil, "checkout_session": nil, "invoice": nil, "invoice_item": nil,
	}
}

// grant gives a subscription what its checkout had.
func (s *Sandbox) grant(to *subscription, from *session) {
	of, ok := s.state.Coupons.get(from.Coupon)
	if !ok {
		return
	}
	made := &discount{
		ID: newID("di"), Coupon: of.ID, Code: from.Code, Customer: to.Customer, Subscription: to.ID, Start: to.Start,
	}
	if of.Duration == repeating {
		made.End = monthsAfter(time.Unix(to.Start, 0).UTC(), int(of.Months))
	}
	s.state.Discounts.add(made)
	to.Discount = made.ID
}

// dropDiscount ends what a subscription had for its first invoice alone, or for a time that is over.
func (s *Sandbox) dropDiscount(of *subscription) {
	had, ok := s.state.Discounts.get(of.Discount)
	if !ok {
		return
	}
	c, _ := s.state.Coupons.get(had.Coupon)
	if c.Duration == once || had.End != 0 && of.PeriodStart >= had.End {
		of.Discount = ""
	}
}

// off is what a coupon takes off lines, in minor units; 0 if no coupon has that id.
func (s *Sandbox) off(couponID string, lines []line) int64 {
	if c, ok := s.state.Coupons.get(couponID); ok {
		return c.off(s.goods(lines))
	}
	return 0
}

// offOf is what a subscription's discount takes off the lines for a whole period: prorations have it included.
func (s *Sandbox) offOf(of *subscription, lines []line) int64 {
	if d, ok := s.state.Discounts.get(of.Discount); ok {
		return s.off(d.Coupon, wholes(lines))
	}
	return 0
}

// wholes are the lines that are no prorations.
func wholes(lines []line) (whole []line) {
	for _, l := range lines {
		if !l.proration() {
			whole = append(whole, l)
		}
	}
	return whole
}

// offEach is each line's part of a discount, by the line's id.
func (s *Sandbox) offEach(off int64, lines []line) map[string]int64 {
	whole := wholes(lines)
	amounts := make([]int64, len(whole))
	for i, l := range whole {
		amounts[i] = s.amount(l)
	}
	each := map[string]int64{}
	for i, part := range spread(off, amounts) {
		each[whole[i].ID] = part
	}
	return each
}

// spread divides a discount among amounts in proportion. It is the sums so far that are rounded, so that the parts come to the
// whole, and none is above its amount.
func spread(off int64, amounts []int64) []int64 {
	var all, soFar, given int64
	for _, amount := range amounts {
		all += amount
	}
	parts := make([]int64, len(amounts))
	for i, amount := range amounts {
		soFar += amount
		parts[i] = share(off, soFar, all) - given
		given += parts[i]
	}
	return parts
}

// share is off·of/all, rounded down; the product may be larger than a number can be.
func share(off, of, all int64) int64 {
	if all == 0 {
		return 0
	}
	high, low := bits.Mul64(uint64(off), uint64(of))
	part, _ := bits.Div64(high, low, uint64(all))
	return int64(part)
}
