package rpc

import (
	"context"

	billingv1 "serein.app/proto/gen/serein/billing/v1"
	"serein.app/services/platform/auth"
)

// KeepSubscription takes a cancellation back.
func (h *SubscriptionHandler) KeepSubscription(ctx context.Context, _ *billingv1.KeepSubscriptionRequest) (*billingv1.KeepSubscriptionResponse, error) {
	uid, err := auth.MemberID(ctx)
	if err != nil {
		return nil, err
	}
	if err := h.memberships.Keep(ctx, uid); err != nil {
		return nil, err
	}
	now, err := h.subscription(ctx, uid)
	if err != nil {
		return nil, err
	}
	return &billingv1.KeepSubscriptionResponse{Subscription: now}, nil
}
