package web

import (
	"context"

	billingv1 "serein.app/proto/gen/serein/billing/v1"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

// KeepMembership takes a cancellation back, while the paid period lasts.
func (s *Screens) KeepMembership(ctx context.Context, _ *webv1.KeepMembershipRequest) (*webv1.KeepMembershipResponse, error) {
	res, err := s.Clients.Subscriptions.KeepSubscription(ctx, &billingv1.KeepSubscriptionRequest{})
	if err != nil {
		return nil, err
	}
	return &webv1.KeepMembershipResponse{Membership: membership(res.GetSubscription(), 0)}, nil
}
