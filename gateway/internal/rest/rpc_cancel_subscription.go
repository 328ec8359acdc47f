package rest

import (
	"context"

	billingv1 "serein.app/proto/gen/serein/billing/v1"
	restv1 "serein.app/proto/gen/serein/rest/v1"
)

// CancelSubscription ends the caller's membership with its paid period, or takes that back where cancelAtPeriodEnd is false.
// Errors: USER_NOT_FOUND for another member; those of billing's CancelSubscription and KeepSubscription.
func (a *API) CancelSubscription(ctx context.Context, req *restv1.CancelSubscriptionRequest) (*restv1.CancelSubscriptionResponse, error) {
	if err := valid(req); err != nil {
		return nil, err
	}
	if err := ownOnly(ctx, req.GetUid()); err != nil {
		return nil, err
	}
	if err := a.Orders.Allow(ctx, callerOf(ctx).key()); err != nil {
		return nil, err
	}
	now, err := a.endWithPeriod(ctx, req.CancelAtPeriodEnd == nil || req.GetCancelAtPeriodEnd())
	a.View.Acted(callerOf(ctx).uid)
	if err != nil {
		return nil, err
	}
	return &restv1.CancelSubscriptionResponse{Subscription: a.changed(ctx, now)}, nil
}

func (a *API) endWithPeriod(ctx context.Context, ends bool) (*billingv1.Subscription, error) {
	if ends {
		res, err := a.Clients.Subscriptions.CancelSubscription(ctx, &billingv1.CancelSubscriptionRequest{})
		return res.GetSubscription(), err
	}
	res, err := a.Clients.Subscriptions.KeepSubscription(ctx, &billingv1.KeepSubscriptionRequest{})
	return res.GetSubscription(), err
}
