package web

import (
	"context"

	billingv1 "serein.app/proto/gen/serein/billing/v1"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

// PreviewChange says what changing the member's plan would charge and give.
func (s *Screens) PreviewChange(ctx context.Context, req *webv1.PreviewChangeRequest) (*webv1.PreviewChangeResponse, error) {
	res, err := s.Clients.Subscriptions.PreviewChange(ctx, &billingv1.PreviewChangeRequest{PlanId: req.GetPlanId(), Period: req.GetPeriod()})
	if err != nil {
		return nil, err
	}
	return &webv1.PreviewChangeResponse{Quote: quote(res.GetQuote())}, nil
}
