package paymentsandbox

import (
	"crypto/rand"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// Durations of a coupon: on how many invoices of a subscription it is. What is paid once has one.
const (
	once      = "once"
	forever   = "forever"
	repeating = "repeating"
)

// allOf is 100 % in hundredths of a percent.
const allOf = 100_00

type coupon struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	// Percent is in hundredths of a percent, Amount in the currency's minor units; one of them is 0.
	Percent  int64             `json:"percent"`
	Amount   int64             `json:"amount"`
	Currency string            `json:"currency"` // empty with a percentage
	Duration string            `json:"duration"`
	Months   int64             `json:"months"` // of one that is repeating
	Metadata map[string]string `json:"metadata"`
	Created  int64             `json:"created"`
	limits
}

func (c *coupon) id() string { return c.ID }

// off is what it takes off a sum of goods: a percentage rounded half up, an amount no more than the goods.
func (c *coupon) off(goods int64) int64 {
	if c.Percent > 0 {
		return (goods*c.Percent + allOf/2) / allOf
	}
	return min(c.Amount, goods)
}

func (c *coupon) show(now time.Time) object {
	shown := object{
		"id": c.ID, "object": "coupon", "name": orNull(c.Name), "percent_off": nil, "amount_off": orNone(c.Amount),
		"currency": orNull(c.Currency), "duration": c.Duration, "duration_in_months": orNone(c.Months), "livemode": false,
		"max_redemptions": orNone(c.Max), "redeem_by": orNone(c.Until), "times_redeemed": c.Times, "valid": c.hold(now),
		"metadata": c.Metadata, "created": c.Created,
	}
	if c.Percent > 0 {
		shown["percent_off"] = float64(c.Percent) / (allOf / 100)
	}
	return shown
}

// maxCouponName in characters.
const maxCouponName = 40

func (s *Sandbox) createCoupon(c *call) (object, error) {
	made := &coupon{
		ID: c.text("id"), Name: c.text("name"), Duration: c.one("duration", once, forever, repeating), Metadata: c.pairs("metadata"),
		Created: s.now().Unix(), limits: s.readLimits(c, "redeem_by"),
	}
	if utf8.RuneCountInString(made.Name) > maxCouponName {
		c.refuse("name", "", "The name must be at most 40 characters.")
	}
	if made.Duration == repeating {
		if made.Months = c.whole("duration_in_months", 0, 1); made.Months == 0 {
			c.refuse("duration", "", "A repeating coupon needs duration_in_months.")
		}
	}
	if err := readOff(c, made); err != nil {
		return nil, err
	}
	if err := c.finish(); err != nil {
		return nil, err
	}
	if made.ID == "" {
		made.ID = shortID()
	}
	if _, there := s.state.Coupons.get(made.ID); there {
		return nil, refused("resource_already_exists", "Coupon already exists.")
	}
	s.state.Coupons.add(made)
	s.tell("coupon.created", made.show(s.now()))
	return made.show(s.now()), nil
}

// readOff takes a percentage or an amount with its currency.
func readOff(c *call, into *coupon) error {
	switch percent, amount := c.has("percent_off"), c.has("amount_off"); {
	case percent && amount:
		return refused("", "Received both percent_off and amount_off parameters. Please pass in only one.")
	case percent:
		into.Percent = c.percent("percent_off")
	case amount:
		into.Amount, into.Currency = c.whole("amount_off", 0, 1), strings.ToLower(c.text("currency"))
		if into.Currency == "" {
			c.refuse("currency", "", "You must pass currency when passing amount_off")
		}
	default:
		return refused("parameter_missing", "Must provide percent_off or amount_off.")
	}
	return nil
}

// percent is a percentage above 0 and up to 100, in hundredths of a percent.
func (p *params) percent(key string) int64 {
	text := p.text(key)
	value, err := strconv.ParseFloat(text, 64)
	hundredths := math.Round(value * allOf / 100)
	switch {
	case err != nil || math.IsNaN(value):
		p.refuse(key, "", "Invalid decimal: "+key)
	case value < 0.01: //nolint:mnd // Stripe's least
		p.refuse(key, "", "This value must be greater than or equal to 0.01.")
	case value > 100: //nolint:mnd // all of it
		p.refuse(key, "", "This value must be less than or equal to 100.")
	case math.Abs(value*allOf/100-hundredths) > 1e-6: //nolint:mnd // what a fraction loses
		p.refuse(key, "", "The sandbox takes percentages of two decimals.")
	default:
		return int64(hundredths)
	}
	return 0
}

func (s *Sandbox) coupon(c *call) (object, error) {
	if err := c.finish(); err != nil {
		return nil, err
	}
	found, ok := s.state.Coupons.get(c.path)
	if !ok {
		return nil, missing("coupon", c.path)
	}
	return found.show(s.now()), nil
}

// shortID is random, short and without a prefix, as ids of coupons and codes that nobody chose are.
func shortID() string { return rand.Text()[:8] }
