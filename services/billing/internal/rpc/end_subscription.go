package rpc

import (
	"context"

	billingv1 "serein.app/proto/gen/serein/billing/v1"
	"serein.app/services/billing/internal/operators"
)

// EndSubscription ends a member's plan at once.
func (h *Handler) EndSubscription(ctx context.Context, req *billingv1.EndSubscriptionRequest) (*billingv1.EndSubscriptionResponse, error) {
	a, _, err := h.operate(ctx, operators.EndSubscription, req.GetIdempotencyKey(), req.GetUid(), 0, req.GetReason())
	if err != nil {
		return nil, err
	}
	sub, err := h.subscriptionOf(ctx, a.UID)
	return &billingv1.EndSubscriptionResponse{Subscription: sub}, err
}
