package rpc

import (
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
	return &billingv1.Subscription{
		PlanId: s.PlanID, PlanName: s.PlanName, PlanKind: protoKinds[s.PlanKind],
		StartsAt: timestamppb.New(s.StartsAt), EndsAt: timestamppb.New(s.EndsAt),
		Active: s.Active(now), Entitlements: s.Entitlements(now),
		Period: s.Period, Renews: s.Renews && s.Active(now), HadTrial: s.HadTrial,
	}
}

func toProtoBalance(b credits.Balance) *billingv1.Balance {
	return &billingv1.Balance{PlanAvailable: b.PlanAvailable, TopUpAvailable: b.TopUpAvailable, Held: b.Held}
}

var protoPools = map[credits.Pool]billingv1.Pool{
	credits.PlanPool: billingv1.Pool_POOL_PLAN, credits.TopUpPool: billingv1.Pool_POOL_TOP_UP,
}

func toProtoEntry(e credits.Entry) *billingv1.LedgerEntry {
	return &billingv1.LedgerEntry{
		Id: e.Cause + "/" + string(e.Pool), Time: timestamppb.New(e.At), Change: e.Change, BalanceAfter: e.BalanceAfter,
		Pool: protoPools[e.Pool], Kind: string(e.Kind), Description: e.Description, Reference: e.Reference,
	}
}
