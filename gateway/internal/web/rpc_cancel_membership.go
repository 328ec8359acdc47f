package web

import (
	"context"

	billingv1 "serein.app/proto/gen/serein/billing/v1"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

// CancelMembership ends the member's membership with its paid period, for the reason that they say, if they do.
func (s *Screens) CancelMembership(ctx context.Context, req *webv1.CancelMembershipRequest) (*webv1.CancelMembershipResponse, error) {
	res, err := s.Clients.Subscriptions.CancelSubscription(ctx, &billingv1.CancelSubscriptionRequest{Reason: cancellationReasons[req.GetReason()]})
	if err != nil {
		return nil, err
	}
	return &webv1.CancelMembershipResponse{Membership: membership(res.GetSubscription(), 0)}, nil
}
