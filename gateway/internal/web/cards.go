package web

import (
	contentv1 "serein.app/proto/gen/serein/content/v1"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

// The badges that the gateway gives; all others are an editor's.
const (
	badgeActive     = "Active"
	badgeCompleted  = "Completed"
	badgeComingSoon = "Coming Soon"
)

// Periods of a membership.
const (
	month = "month"
	year  = "year"
)

// shopKinds are content's words for the kinds of plans.
var shopKinds = map[string]webv1.PlanKind{
	"trial": webv1.PlanKind_PLAN_KIND_TRIAL, "member": webv1.PlanKind_PLAN_KIND_MEMBER,
	"generate": webv1.PlanKind_PLAN_KIND_GENERATE, "enquiry": webv1.PlanKind_PLAN_KIND_ENQUIRY,
}

// sold says that a plan is a membership that is bought here.
func sold(p *contentv1.ShopPlan) bool {
	kind := shopKinds[p.GetKind()]
	return kind == webv1.PlanKind_PLAN_KIND_MEMBER || kind == webv1.PlanKind_PLAN_KIND_GENERATE
}

// card is a plan as it is for who looks.
func (v *viewer) card(p *contentv1.ShopPlan, shop *shopCatalogue) *webv1.MembershipCard {
	out := &webv1.MembershipCard{
		Id: p.GetId(), Name: p.GetName(), Kind: shopKinds[p.GetKind()], Description: p.GetStrapline(), Features: p.GetFeatures(),
		Monthly: v.offer(p, month, shop), Yearly: v.offer(p, year, shop),
	}
	if out.GetKind() == webv1.PlanKind_PLAN_KIND_TRIAL {
		out.Trial = &webv1.TrialOffer{Days: p.GetTrialDays(), InvitedDays: p.GetInvitedTrialDays(), Credits: p.GetTrialCredits()}
	}
	unsold := out.GetMonthly() == nil && out.GetYearly() == nil
	if unsold {
		out.Action = v.unsoldAction(p)
	}
	out.Badge = v.badge(p, unsold)
	return out
}

// badge of a card: what the plan is to who looks comes before what an editor says of it.
func (v *viewer) badge(p *contentv1.ShopPlan, unsold bool) string {
	subscription := v.account.GetSubscription()
	trial := shopKinds[p.GetKind()] == webv1.PlanKind_PLAN_KIND_TRIAL
	switch {
	case onPlan(subscription, p.GetId()):
		return badgeActive
	case trial && (subscription.GetHadTrial() || onTrial(subscription)):
		return badgeCompleted
	case p.GetBadge() == "" && unsold && sold(p):
		return badgeComingSoon
	}
	return p.GetBadge()
}

// unsoldAction is the button of a plan that is sold for no period. The trial begins with an account, so members are past it.
func (v *viewer) unsoldAction(p *contentv1.ShopPlan) webv1.CardAction {
	kind := shopKinds[p.GetKind()]
	switch {
	case onPlan(v.account.GetSubscription(), p.GetId()):
		return webv1.CardAction_CARD_ACTION_NONE
	case kind == webv1.PlanKind_PLAN_KIND_ENQUIRY:
		return webv1.CardAction_CARD_ACTION_ENQUIRE
	case kind == webv1.PlanKind_PLAN_KIND_TRIAL && !v.signedIn:
		return webv1.CardAction_CARD_ACTION_TRIAL
	}
	return webv1.CardAction_CARD_ACTION_NONE
}

// offer is a plan for one period; nil where it is not sold for it.
func (v *viewer) offer(p *contentv1.ShopPlan, period string, shop *shopCatalogue) *webv1.MembershipOffer {
	i := sku{p.GetId(), period}
	shown := shop.item(i)
	if shown == nil {
		return nil
	}
	costs, purchasable := shop.prices.money(i, shown.GetPrice())
	out := &webv1.MembershipOffer{Price: costs, Credits: shown.GetCredits(), Action: v.action(i, purchasable)}
	if found := shop.prices.of(i); found != nil {
		out.Credits = found.GetCredits()
	}
	return out
}

// action is the button of a membership. Who pays for one changes it and never buys a second, once they have kept it or mended their
// card where that comes first; where it is not known whether they pay, nothing is sold to them.
func (v *viewer) action(i sku, purchasable bool) webv1.CardAction {
	subscription := v.account.GetSubscription()
	switch {
	case onPeriod(subscription, i.id, i.size):
		return webv1.CardAction_CARD_ACTION_CURRENT
	case pays(subscription) && !mayChange(subscription):
		return webv1.CardAction_CARD_ACTION_NONE
	case pays(subscription) && purchasable:
		return webv1.CardAction_CARD_ACTION_CHANGE
	case v.basket[i]:
		return webv1.CardAction_CARD_ACTION_IN_BASKET
	case !purchasable, v.signedIn && v.account == nil:
		return webv1.CardAction_CARD_ACTION_UNAVAILABLE
	}
	return webv1.CardAction_CARD_ACTION_ADD
}
