package rpc

import (
	"context"
	"errors"

	"google.golang.org/protobuf/types/known/timestamppb"

	billingv1 "serein.app/proto/gen/serein/billing/v1"
	"serein.app/services/billing/internal/subscriptions"
	"serein.app/services/platform/auth"
)

// GetSubscription answers for the member named by the caller's token.
func (h *SubscriptionHandler) GetSubscription(ctx context.Context, _ *billingv1.GetSubscriptionRequest) (*billingv1.GetSubscriptionResponse, error) {
	uid, err := auth.MemberID(ctx)
	if err != nil {
		return nil, err
	}
	res := &billingv1.GetSubscriptionResponse{GodControls: h.godControls}
	if res.Subscription, err = h.subscription(ctx, uid); err != nil {
		return nil, err
	}
	state, err := h.memberships.Get(ctx, uid)
	if errors.Is(err, subscriptions.ErrNotFound) {
		return res, nil
	}
	if err != nil {
		return nil, err
	}
	if !state.NextAttempt.IsZero() {
		res.NextAttempt = timestamppb.New(state.NextAttempt)
	}
	res.Card = h.card(ctx, state)
	return res, nil
}
