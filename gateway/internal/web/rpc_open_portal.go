package web

import (
	"context"

	billingv1 "serein.app/proto/gen/serein/billing/v1"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

// OpenPortal answers the address of the provider's page where the member mends their card.
func (s *Screens) OpenPortal(ctx context.Context, _ *webv1.OpenPortalRequest) (*webv1.OpenPortalResponse, error) {
	res, err := s.Clients.Checkouts.OpenPortal(ctx, &billingv1.OpenPortalRequest{})
	if err != nil {
		return nil, err
	}
	return &webv1.OpenPortalResponse{Url: res.GetUrl()}, nil
}
