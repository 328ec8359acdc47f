package web

import (
	"context"

	billingv1 "serein.app/proto/gen/serein/billing/v1"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

// ListOrders pages through the member's orders that were paid, the newest first.
func (s *Screens) ListOrders(ctx context.Context, req *webv1.ListOrdersRequest) (*webv1.ListOrdersResponse, error) {
	res, err := s.Clients.Orders.ListOrders(ctx, &billingv1.ListOrdersRequest{PageToken: req.GetPageToken()})
	if err != nil {
		return nil, err
	}
	return &webv1.ListOrdersResponse{Orders: s.orders(ctx, res.GetOrders()...), NextPageToken: res.GetNextPageToken()}, nil
}
