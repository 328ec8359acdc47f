package stripe

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/stripe/stripe-go/v85"

	"serein.app/services/billing/internal/sales"
)

// Code is a promotion code: what somebody types at the hosted checkout to pay less. It takes something off the goods, never off
// the delivery.
type Code struct {
	// Text in capitals; the provider takes small letters for the same.
	Text string
	// Percent of the goods, above 0 and up to 100; or 0, and Amount in minor units of Currency.
	Percent  float64
	Amount   int64
	Currency string
	// Months that a membership costs less; 0: the first payment alone.
	Months int64
	// Most times that it is taken, 0 for as often as may be; Used so far.
	Most, Used int64
	// PerMember is how often one member may use it; 0 for as often as they like.
	PerMember int64
	// FirstOrder: only a member who has paid nothing yet may use it.
	FirstOrder bool
	// Until is when it ends; zero for never.
	Until time.Time
}

// perMemberKey is where a code says how often one member may use it: the provider knows a limit for all together alone.
const perMemberKey = "per_member"

// ErrCodeTaken says that another code of the same text is taken.
var ErrCodeTaken = fmt.Errorf("%w: there is such a code already", sales.ErrRefused)

// CreateCode makes a coupon, and the code that leads to it; ErrCodeTaken where there is one of that text, before anything is made. Both end
// on one day, so that a day that the provider refuses leaves no coupon behind.
func (p *Provider) CreateCode(ctx context.Context, key string, c Code) error {
	if err := p.eachCode(ctx, c.Text, func(found *stripe.PromotionCode) error {
		if strings.EqualFold(found.Code, c.Text) {
			return ErrCodeTaken
		}
		return nil
	}); err != nil {
		return err
	}
	coupon := &stripe.CouponCreateParams{
		Params: write(ctx, key+":coupon"), Name: stripe.String(c.Text), Duration: stripe.String(string(stripe.CouponDurationOnce)),
	}
	if c.Percent > 0 {
		coupon.PercentOff = stripe.Float64(c.Percent)
	} else {
		coupon.AmountOff, coupon.Currency = stripe.Int64(c.Amount), stripe.String(c.Currency)
	}
	if c.Months > 0 {
		coupon.Duration, coupon.DurationInMonths = stripe.String(string(stripe.CouponDurationRepeating)), stripe.Int64(c.Months)
	}
	if !c.Until.IsZero() {
		coupon.RedeemBy = stripe.Int64(c.Until.Unix())
	}
	made, err := p.client.V1Coupons.Create(ctx, coupon)
	if err != nil {
		return fault("create coupon", err)
	}
	code := &stripe.PromotionCodeCreateParams{
		Params: write(ctx, key), Code: stripe.String(c.Text),
		Promotion: &stripe.PromotionCodeCreatePromotionParams{Type: stripe.String("coupon"), Coupon: stripe.String(made.ID)},
	}
	if c.PerMember > 0 {
		code.Metadata = map[string]string{perMemberKey: strconv.FormatInt(c.PerMember, 10)}
	}
	if c.FirstOrder {
		code.Restrictions = &stripe.PromotionCodeCreateRestrictionsParams{FirstTimeTransaction: stripe.Bool(true)}
	}
	if c.Most > 0 {
		code.MaxRedemptions = stripe.Int64(c.Most)
	}
	if !c.Until.IsZero() {
		code.ExpiresAt = stripe.Int64(c.Until.Unix())
	}
	_, err = p.client.V1PromotionCodes.Create(ctx, code)
	return fault("create promotion code", err)
}

// MayUse reads a code that a member has used: whether it has ended, or they may use it again. Of a code that is not there it is true: nobody
// can type it.
func (p *Provider) MayUse(ctx context.Context, code string, used int64) (bool, error) {
	found, err := p.client.V1PromotionCodes.Retrieve(ctx, code, nil)
	switch err = fault("read promotion code", err); {
	case errors.Is(err, sales.ErrNotFound):
		return true, nil
	case err != nil:
		return false, err
	}
	most := perMember(found)
	return !found.Active || most == 0 || used < most, nil
}

// perMember is how often one member may use a code; 0 for as often as they like.
func perMember(of *stripe.PromotionCode) int64 {
	most, err := strconv.ParseInt(of.Metadata[perMemberKey], 10, 64)
	if err != nil || most < 0 {
		return 0
	}
	return most
}

// Codes lists those that are taken, the newest first.
func (p *Provider) Codes(ctx context.Context) ([]Code, error) {
	var codes []Code
	err := p.eachCode(ctx, "", func(found *stripe.PromotionCode) error {
		codes = append(codes, readCode(found))
		return nil
	})
	return codes, err
}

// EndCode has a code be taken no more; sales.ErrNotFound where it is not.
func (p *Provider) EndCode(ctx context.Context, key, text string) error {
	ended := false
	err := p.eachCode(ctx, text, func(found *stripe.PromotionCode) error {
		if !strings.EqualFold(found.Code, text) {
			return nil
		}
		ended = true
		_, err := p.client.V1PromotionCodes.Update(ctx, found.ID, &stripe.PromotionCodeUpdateParams{Params: write(ctx, key), Active: stripe.Bool(false)})
		return fault("end promotion code", err)
	})
	if err == nil && !ended {
		return sales.ErrNotFound
	}
	return err
}

// eachCode goes through the codes that are taken: one, or all where text is empty.
func (p *Provider) eachCode(ctx context.Context, text string, do func(*stripe.PromotionCode) error) error {
	params := &stripe.PromotionCodeListParams{Active: stripe.Bool(true)}
	if text != "" {
		params.Code = stripe.String(text)
	}
	params.Limit = stripe.Int64(pageSize)
	params.AddExpand("data.promotion.coupon")
	for found, err := range p.client.V1PromotionCodes.List(ctx, params).All(ctx) {
		if err != nil {
			return fault("list promotion codes", err)
		}
		if err := do(found); err != nil {
			return err
		}
	}
	return nil
}

func readCode(from *stripe.PromotionCode) Code {
	code := Code{Text: from.Code, Most: from.MaxRedemptions, Used: from.TimesRedeemed, Until: at(from.ExpiresAt), PerMember: perMember(from)}
	code.FirstOrder = from.Restrictions != nil && from.Restrictions.FirstTimeTransaction
	if from.Promotion != nil && from.Promotion.Coupon != nil {
		coupon := from.Promotion.Coupon
		code.Percent, code.Amount, code.Currency, code.Months = coupon.PercentOff, coupon.AmountOff, string(coupon.Currency), coupon.DurationInMonths
	}
	return code
}
