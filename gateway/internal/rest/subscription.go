package rest

import (
	"context"
	"time"

	billingv1 "serein.app/proto/gen/serein/billing/v1"
	restv1 "serein.app/proto/gen/serein/rest/v1"
)

// describe adds the plan's description from the catalogue where billing told none with the subscription; an answer can do without.
func (a *API) describe(ctx context.Context, s *restv1.Subscription) {
	if s == nil || s.GetDescription() != "" {
		return
	}
	found, err := a.Plans(ctx)
	if err != nil {
		a.without(ctx, "the plan's description", err)
	}
	for _, p := range found {
		if p.GetId() == s.GetSubId() {
			s.Description = p.GetDescription()
		}
	}
}

const day = 24 * time.Hour

// subscription is nil for a member whose trial has not started yet. A trial is completed once it is over: a member
// who bought without a trial has not completed one.
func subscription(s *billingv1.Subscription, b *billingv1.Balance) *restv1.Subscription {
	if s == nil {
		return nil
	}
	out := &restv1.Subscription{
		SubId: s.GetPlanId(), Subscription: s.GetPlanId(), PlanName: s.GetPlanName(), StartDate: s.GetStartsAt(), Description: s.GetPlanDescription(),
		Duration:          int32(s.GetEndsAt().AsTime().Sub(s.GetStartsAt().AsTime()) / day),
		MeditationCredits: int32(b.GetPlanAvailable()), ExtraBespokeMeditationCredits: int32(b.GetTopUpAvailable()),
		HasCompletedTrial: s.GetHadTrial() && (s.GetPlanKind() != billingv1.PlanKind_PLAN_KIND_TRIAL || !s.GetActive()),
		IsActiveSub:       s.GetActive(), Active: s.GetActive(),
		Size: s.GetPeriod(), Billing: s.GetPeriod(), PriceId: s.GetPriceId(), Price: pounds(s.GetAmount()),
		CancelAtPeriodEnd: s.GetStatus() == billingv1.SubscriptionStatus_SUBSCRIPTION_STATUS_CANCELLING,
	}
	if out.GetCancelAtPeriodEnd() {
		ends := float64(s.GetEndsAt().GetSeconds())
		out.WillCancelOn = &ends
	}
	return out
}

// pounds of an amount in minor units.
func pounds(minor int64) float64 { return float64(minor) / 100 }

// changed answers a subscription as it is after a change. The change stands whatever becomes of the question for its credits, so
// that they are left out where billing does not say.
func (a *API) changed(ctx context.Context, s *billingv1.Subscription) *restv1.Subscription {
	account, err := a.Clients.Accounts.GetAccount(ctx, &billingv1.GetAccountRequest{})
	if err != nil {
		a.without(ctx, "the credits after a change", err)
	}
	out := subscription(s, account.GetBalance())
	a.describe(ctx, out)
	return out
}
