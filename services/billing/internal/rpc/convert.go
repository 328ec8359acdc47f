package rpc

import (
	"strconv"
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"

	billingv1 "serein.app/proto/gen/serein/billing/v1"
	"serein.app/services/billing/internal/credits"
	"serein.app/services/billing/internal/plans"
)

var protoKinds = map[plans.Kind]billingv1.PlanKind{
	plans.Trial: billingv1.PlanKind_PLAN_KIND_TRIAL, plans.Member: billingv1.PlanKind_PLAN_KIND_MEMBER,
	plans.Generate: billingv1.PlanKind_PLAN_KIND_GENERATE, plans.Enquiry: billingv1.PlanKind_PLAN_KIND_ENQUIRY,
}

func toProtoPlan(p plans.Plan) *billingv1.Plan {
	return &billingv1.Plan{
		Id: p.ID, Name: p.Name, Kind: protoKinds[p.Kind], Order: p.Order, Badge: p.Badge, Description: p.Description,
		Features: p.Features, Entitlements: p.Entitlements, Monthly: toProtoPrice(p.Monthly), Yearly: toProtoPrice(p.Yearly),
		TrialDays: p.TrialDays, InvitedTrialDays: p.InvitedTrialDays, TrialCredits: p.TrialCredits,
	}
}

func toProtoPrice(p *plans.Price) *billingv1.PlanPrice {
	if p == nil {
		return nil
	}
	return &billingv1.PlanPrice{Amount: p.Amount, Currency: p.Currency, Credits: p.Credits}
}

func toProtoSubscription(s *plans.Subscription, now time.Time) *billingv1.Subscription {
	if s == nil {
		return nil
	}
	p := &billingv1.Subscription{
		PlanId: s.PlanID, PlanName: s.PlanName, PlanKind: protoKinds[s.PlanKind], PlanDescription: s.PlanDescription,
		StartsAt: timestamppb.New(s.StartsAt), EndsAt: timestamppb.New(s.EndsAt), AccessUntil: timestamppb.New(s.AccessUntil()),
		Active: s.Active(now), Entitlements: s.Entitlements(now), Status: protoStatuses[s.Status(now)],
		Period: s.Period, Renews: s.Renews && s.Active(now), HadTrial: s.HadTrial,
		PriceId: s.PriceID, Amount: s.Amount, Currency: s.Currency, PeriodCredits: s.PeriodCredits, GrantedCredits: s.GrantedCredits,
	}
	if !s.PaymentFailedAt.IsZero() {
		p.PaymentFailedAt = timestamppb.New(s.PaymentFailedAt)
	}
	return p
}

var protoStatuses = map[plans.Status]billingv1.SubscriptionStatus{
	plans.OnTrial: billingv1.SubscriptionStatus_SUBSCRIPTION_STATUS_TRIAL, plans.Active: billingv1.SubscriptionStatus_SUBSCRIPTION_STATUS_ACTIVE,
	plans.Cancelling: billingv1.SubscriptionStatus_SUBSCRIPTION_STATUS_CANCELLING, plans.InGrace: billingv1.SubscriptionStatus_SUBSCRIPTION_STATUS_GRACE,
	plans.Ended: billingv1.SubscriptionStatus_SUBSCRIPTION_STATUS_ENDED,
}

func toProtoBalance(b credits.Balance) *billingv1.Balance {
	return &billingv1.Balance{PlanAvailable: b.PlanAvailable, TopUpAvailable: b.TopUpAvailable, Held: b.Held}
}

var protoPools = map[credits.Pool]billingv1.Pool{
	credits.PlanPool: billingv1.Pool_POOL_PLAN, credits.TopUpPool: billingv1.Pool_POOL_TOP_UP,
}

func toProtoEntry(e credits.Entry) *billingv1.LedgerEntry {
	return &billingv1.LedgerEntry{
		Id: idOf(e.Place()), Time: timestamppb.New(e.At), Change: e.Change, BalanceAfter: e.BalanceAfter,
		Pool: protoPools[e.Pool], Kind: string(e.Kind), Description: e.Description, Reference: e.Reference, Cause: e.Of(),
		PlanCredits: e.Plan, TopUpCredits: e.TopUp,
	}
}

// idOf is the entry's position, and behind it the number of a note: "12", "12.3". Its cause would tell whose membership was rewarded.
func idOf(p credits.Place) string {
	id := strconv.FormatInt(p.Position, 10)
	if p.Number > 0 {
		id += "." + strconv.FormatInt(p.Number, 10)
	}
	return id
}
