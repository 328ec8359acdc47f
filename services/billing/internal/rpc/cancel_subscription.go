package rpc

import (
	"context"

	billingv1 "serein.app/proto/gen/serein/billing/v1"
	"serein.app/services/billing/internal/sales"
	"serein.app/services/platform/auth"
)

var cancelReasons = map[billingv1.CancellationReason]sales.CancelReason{
	billingv1.CancellationReason_CANCELLATION_REASON_TOO_EXPENSIVE: sales.TooExpensive,
	billingv1.CancellationReason_CANCELLATION_REASON_UNUSED:        sales.Unused,
	billingv1.CancellationReason_CANCELLATION_REASON_OTHER:         sales.OtherReason,
}

// CancelSubscription ends the membership with its paid period.
func (h *SubscriptionHandler) CancelSubscription(ctx context.Context, req *billingv1.CancelSubscriptionRequest) (*billingv1.CancelSubscriptionResponse, error) {
	uid, err := auth.MemberID(ctx)
	if err != nil {
		return nil, err
	}
	if err := h.memberships.Cancel(ctx, uid, cancelReasons[req.GetReason()]); err != nil {
		return nil, err
	}
	now, err := h.subscription(ctx, uid)
	if err != nil {
		return nil, err
	}
	return &billingv1.CancelSubscriptionResponse{Subscription: now}, nil
}
