package rpc

import (
	"context"

	billingv1 "serein.app/proto/gen/serein/billing/v1"
	"serein.app/services/billing/internal/subscriptions"
	"serein.app/services/platform/auth"
)

// ChangePlan changes at once what was previewed.
func (h *SubscriptionHandler) ChangePlan(ctx context.Context, req *billingv1.ChangePlanRequest) (*billingv1.ChangePlanResponse, error) {
	uid, err := auth.MemberID(ctx)
	if err != nil {
		return nil, err
	}
	r := subscriptions.ChangeRequest{
		UID: uid, Key: req.GetIdempotencyKey(), Plan: req.GetPlanId(), Period: req.GetPeriod(), Amount: req.GetAmount(),
	}
	if req.GetAt() != nil {
		r.At = req.GetAt().AsTime()
	}
	if err := h.memberships.ChangePlan(ctx, r); err != nil {
		return nil, err
	}
	changed, err := h.subscription(ctx, uid)
	if err != nil {
		return nil, err
	}
	return &billingv1.ChangePlanResponse{Subscription: changed}, nil
}
