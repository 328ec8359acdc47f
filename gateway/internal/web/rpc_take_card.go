package web

import (
	"context"

	billingv1 "serein.app/proto/gen/serein/billing/v1"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

// TakeCard has what is owed paid with the card that the member has given on the provider's page.
func (s *Screens) TakeCard(ctx context.Context, _ *webv1.TakeCardRequest) (*webv1.TakeCardResponse, error) {
	res, err := s.Clients.Subscriptions.TakeCard(ctx, &billingv1.TakeCardRequest{})
	if err != nil {
		return nil, err
	}
	now := membership(res.GetSubscription(), 0)
	now.CardLast4 = res.GetCard().GetLast4()
	return &webv1.TakeCardResponse{Membership: now}, nil
}
