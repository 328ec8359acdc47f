package shop

import "serein.app/services/content/internal/reading"

// trial is the kind of the one plan that is not sold.
const trial = "trial"

// Plan is a membership tier.
type Plan struct {
	ID, Name, Kind, Strapline, Badge string
	Features, Entitlements           []string
	// Monthly and Yearly are nil where it is not sold for that period.
	Monthly, Yearly *Period
	// TrialDays, InvitedTrialDays and TrialCredits are those of the trial alone.
	TrialDays, InvitedTrialDays int32
	TrialCredits                int64
	Order                       int32
}

// Period is what one of a plan costs and grants.
type Period struct {
	Price   Amount
	Credits int64
}

// plan is read whole, but for a period whose price cannot be read: it is not sold for that one. A trial without its days
// is none.
func (r *reader) plan(p reading.Page) (plan Plan, ok bool) {
	plan = Plan{
		ID: p.ID, Name: p.Text("title"), Kind: p.Text("kind"), Strapline: p.Text("strapline"), Badge: p.Text("badge"),
		Features: p.Texts("features"), Entitlements: p.Texts("entitlements"), Order: int32(p.Number("order")),
		Monthly: r.period(p, "monthly"), Yearly: r.period(p, "yearly"),
	}
	if plan.Kind != trial {
		return plan, true
	}
	days, invited := p.Number("trialDays"), p.Number("invitedTrialDays")
	if days < 1 || invited < 1 {
		r.fault(p, "the trial has no days")
		return plan, false
	}
	plan.Monthly, plan.Yearly = nil, nil // it is not sold
	plan.TrialDays, plan.InvitedTrialDays, plan.TrialCredits = int32(days), int32(invited), int64(p.Number("trialCredits"))
	return plan, true
}

func (r *reader) period(p reading.Page, field string) *Period {
	if p.Value(field) == nil {
		return nil
	}
	object, _ := p.Value(field).(map[string]any)
	code, _ := object["currency"].(string)
	price, ok := amountOf(object["price"], code)
	credits, counted := whole(object["credits"])
	if !ok || !counted {
		r.fault(p, field+" has no price, currency and credits that can be read")
		return nil
	}
	return &Period{price, credits}
}
