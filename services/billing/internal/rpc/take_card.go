package rpc

import (
	"context"

	billingv1 "serein.app/proto/gen/serein/billing/v1"
	"serein.app/services/platform/auth"
)

// TakeCard has what is owed paid with the card that the member has given on the provider's page.
func (h *SubscriptionHandler) TakeCard(ctx context.Context, _ *billingv1.TakeCardRequest) (*billingv1.TakeCardResponse, error) {
	uid, err := auth.MemberID(ctx)
	if err != nil {
		return nil, err
	}
	if err := h.memberships.TakeCard(ctx, uid); err != nil {
		return nil, err
	}
	res := &billingv1.TakeCardResponse{}
	if res.Subscription, err = h.subscription(ctx, uid); err != nil {
		return nil, err
	}
	state, err := h.memberships.Get(ctx, uid)
	if err != nil {
		return nil, err
	}
	res.Card = h.card(ctx, state)
	return res, nil
}
