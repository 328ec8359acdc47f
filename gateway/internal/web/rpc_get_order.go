package web

import (
	"context"

	billingv1 "serein.app/proto/gen/serein/billing/v1"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

// GetOrder answers an order of the member's. Billing reads the payment back where no webhook has come yet, so the page after the
// checkout is right without waiting for one.
func (s *Screens) GetOrder(ctx context.Context, req *webv1.GetOrderRequest) (*webv1.GetOrderResponse, error) {
	res, err := s.Clients.Checkouts.CompleteCheckout(ctx, &billingv1.CompleteCheckoutRequest{OrderId: req.GetOrderId()})
	if err != nil {
		return nil, err
	}
	return &webv1.GetOrderResponse{Order: s.orders(ctx, res.GetOrder())[0]}, nil
}
