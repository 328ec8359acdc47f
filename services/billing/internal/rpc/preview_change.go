package rpc

import (
	"context"

	"google.golang.org/protobuf/types/known/timestamppb"

	billingv1 "serein.app/proto/gen/serein/billing/v1"
	"serein.app/services/billing/internal/subscriptions"
	"serein.app/services/platform/auth"
)

// PreviewChange says what changing to a plan would charge and give.
func (h *SubscriptionHandler) PreviewChange(ctx context.Context, req *billingv1.PreviewChangeRequest) (*billingv1.PreviewChangeResponse, error) {
	uid, err := auth.MemberID(ctx)
	if err != nil {
		return nil, err
	}
	q, err := h.memberships.PreviewChange(ctx, uid, req.GetPlanId(), req.GetPeriod())
	if err != nil {
		return nil, err
	}
	return &billingv1.PreviewChangeResponse{Quote: &billingv1.ChangeQuote{
		PlanId: q.Item.ProductID, PlanName: q.Item.Name, Period: q.Item.Size, Amount: q.Amount, Currency: q.Currency,
		NextAmount: q.Next, NextChargeAt: timestamppb.New(q.NextChargeAt), PlanCredits: q.PlanCredits, At: timestamppb.New(q.At),
		Lines: toProtoLines(q.Lines),
	}}, nil
}

func toProtoLines(lines []subscriptions.QuoteLine) []*billingv1.ChangeLine {
	out := make([]*billingv1.ChangeLine, len(lines))
	for i, l := range lines {
		out[i] = &billingv1.ChangeLine{
			Kind: protoLines[l.Kind], PlanName: l.Plan, Amount: l.Amount, Days: l.Days, PeriodDays: l.PeriodDays,
		}
	}
	return out
}

var protoLines = map[subscriptions.LineKind]billingv1.ChangeLineKind{
	subscriptions.PlanLine: billingv1.ChangeLineKind_CHANGE_LINE_KIND_PLAN, subscriptions.UnusedLine: billingv1.ChangeLineKind_CHANGE_LINE_KIND_UNUSED,
	subscriptions.BalanceLine: billingv1.ChangeLineKind_CHANGE_LINE_KIND_BALANCE, subscriptions.WaitingLine: billingv1.ChangeLineKind_CHANGE_LINE_KIND_WAITING,
}
