package web

import (
	"context"

	billingv1 "serein.app/proto/gen/serein/billing/v1"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

// ResetToTrial gives the calling admin a new trial.
func (s *Screens) ResetToTrial(ctx context.Context, req *webv1.ResetToTrialRequest) (*webv1.ResetToTrialResponse, error) {
	res, err := s.Clients.Operators.ResetToTrial(ctx, &billingv1.ResetToTrialRequest{
		IdempotencyKey: req.GetIdempotencyKey(), Uid: memberOf(ctx).UID, Reason: req.GetReason(),
	})
	if err != nil {
		return nil, err
	}
	return &webv1.ResetToTrialResponse{Membership: membership(res.GetSubscription(), s.plans.trialOffer(ctx).GetCredits())}, nil
}
