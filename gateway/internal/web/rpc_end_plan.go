package web

import (
	"context"

	billingv1 "serein.app/proto/gen/serein/billing/v1"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

// EndPlan ends the plan of the admin who asks, at once.
func (s *Screens) EndPlan(ctx context.Context, req *webv1.EndPlanRequest) (*webv1.EndPlanResponse, error) {
	res, err := s.Clients.Operators.EndSubscription(ctx, &billingv1.EndSubscriptionRequest{
		IdempotencyKey: req.GetIdempotencyKey(), Uid: memberOf(ctx).UID, Reason: req.GetReason(),
	})
	if err != nil {
		return nil, err
	}
	return &webv1.EndPlanResponse{Membership: membership(res.GetSubscription(), s.plans.trialOffer(ctx).GetCredits())}, nil
}
