package rpc

import (
	"context"

	billingv1 "serein.app/proto/gen/serein/billing/v1"
	"serein.app/services/platform/auth"
)

// CompleteCheckout answers a member's order, after it has been read back from the provider.
func (h *SalesHandler) CompleteCheckout(ctx context.Context, req *billingv1.CompleteCheckoutRequest) (*billingv1.CompleteCheckoutResponse, error) {
	uid, err := auth.MemberID(ctx)
	if err != nil {
		return nil, err
	}
	id, err := parseID("order_id", req.GetOrderId())
	if err != nil {
		return nil, err
	}
	o, err := h.seller.CompleteCheckout(ctx, uid, id)
	if err != nil {
		return nil, err
	}
	return &billingv1.CompleteCheckoutResponse{Order: toProtoOrder(o)}, nil
}
