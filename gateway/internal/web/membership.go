package web

import (
	billingv1 "serein.app/proto/gen/serein/billing/v1"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

// membershipStatuses are the same in both contracts by intent; written out so that neither can drift.
var membershipStatuses = map[billingv1.SubscriptionStatus]webv1.MembershipStatus{
	billingv1.SubscriptionStatus_SUBSCRIPTION_STATUS_TRIAL:      webv1.MembershipStatus_MEMBERSHIP_STATUS_TRIAL,
	billingv1.SubscriptionStatus_SUBSCRIPTION_STATUS_ACTIVE:     webv1.MembershipStatus_MEMBERSHIP_STATUS_ACTIVE,
	billingv1.SubscriptionStatus_SUBSCRIPTION_STATUS_CANCELLING: webv1.MembershipStatus_MEMBERSHIP_STATUS_CANCELLING,
	billingv1.SubscriptionStatus_SUBSCRIPTION_STATUS_GRACE:      webv1.MembershipStatus_MEMBERSHIP_STATUS_GRACE,
	billingv1.SubscriptionStatus_SUBSCRIPTION_STATUS_ENDED:      webv1.MembershipStatus_MEMBERSHIP_STATUS_ENDED,
}

// membership is a member's plan, empty before the first. trialCredits are what a trial begins with.
func membership(s *billingv1.Subscription, trialCredits int64) *webv1.Membership {
	if s == nil {
		return &webv1.Membership{}
	}
	out := &webv1.Membership{
		Status: membershipStatuses[s.GetStatus()], PlanId: s.GetPlanId(), PlanName: s.GetPlanName(), Period: s.GetPeriod(),
		StartsAt: s.GetStartsAt(), EndsAt: s.GetEndsAt(), AccessUntil: s.GetAccessUntil(), Trial: onTrial(s),
		FailedAt: s.GetPaymentFailedAt(), PeriodCredits: s.GetPeriodCredits(), GrantedCredits: s.GetGrantedCredits(),
	}
	if out.GetTrial() {
		out.PeriodCredits = trialCredits
	}
	if out.GetPeriod() != "" {
		out.Price = money(s.GetAmount(), s.GetCurrency())
	}
	return out
}

// quote is what a change charges and gives.
func quote(q *billingv1.ChangeQuote) *webv1.ChangeQuote {
	out := &webv1.ChangeQuote{
		PlanId: q.GetPlanId(), PlanName: q.GetPlanName(), Period: q.GetPeriod(), PlanCredits: q.GetPlanCredits(), At: q.GetAt(),
		Charged: money(max(q.GetAmount(), 0), q.GetCurrency()), Next: money(q.GetNextAmount(), q.GetCurrency()), NextChargeAt: q.GetNextChargeAt(),
	}
	if q.GetAmount() < 0 {
		out.Credited = money(-q.GetAmount(), q.GetCurrency())
	}
	out.Lines = each(q.GetLines(), func(l *billingv1.ChangeLine) *webv1.ChangeLine {
		return &webv1.ChangeLine{
			Kind: changeLines[l.GetKind()], PlanName: l.GetPlanName(), Amount: money(l.GetAmount(), q.GetCurrency()),
			Days: l.GetDays(), PeriodDays: l.GetPeriodDays(),
		}
	})
	return out
}

// changeLines are the same in both contracts by intent, as statuses are.
var changeLines = map[billingv1.ChangeLineKind]webv1.ChangeLineKind{
	billingv1.ChangeLineKind_CHANGE_LINE_KIND_PLAN:    webv1.ChangeLineKind_CHANGE_LINE_KIND_PLAN,
	billingv1.ChangeLineKind_CHANGE_LINE_KIND_UNUSED:  webv1.ChangeLineKind_CHANGE_LINE_KIND_UNUSED,
	billingv1.ChangeLineKind_CHANGE_LINE_KIND_BALANCE: webv1.ChangeLineKind_CHANGE_LINE_KIND_BALANCE,
	billingv1.ChangeLineKind_CHANGE_LINE_KIND_WAITING: webv1.ChangeLineKind_CHANGE_LINE_KIND_WAITING,
}

// cancellationReasons are likewise.
var cancellationReasons = map[webv1.CancellationReason]billingv1.CancellationReason{
	webv1.CancellationReason_CANCELLATION_REASON_TOO_EXPENSIVE: billingv1.CancellationReason_CANCELLATION_REASON_TOO_EXPENSIVE,
	webv1.CancellationReason_CANCELLATION_REASON_UNUSED:        billingv1.CancellationReason_CANCELLATION_REASON_UNUSED,
	webv1.CancellationReason_CANCELLATION_REASON_OTHER:         billingv1.CancellationReason_CANCELLATION_REASON_OTHER,
}
