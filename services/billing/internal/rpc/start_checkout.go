package rpc

import (
	"context"

	billingv1 "serein.app/proto/gen/serein/billing/v1"
	"serein.app/services/billing/internal/sales"
	"serein.app/services/platform/auth"
)

// StartCheckout makes one order for the member named by the caller's token.
func (h *SalesHandler) StartCheckout(ctx context.Context, req *billingv1.StartCheckoutRequest) (*billingv1.StartCheckoutResponse, error) {
	uid, err := auth.MemberID(ctx)
	if err != nil {
		return nil, err
	}
	wanted := make([]sales.RequestedLine, len(req.GetItems()))
	for i, item := range req.GetItems() {
		wanted[i] = sales.RequestedLine{ProductID: item.GetProductId(), Size: item.GetSize(), Quantity: item.GetQuantity()}
	}
	o, err := h.seller.Start(ctx, sales.Request{
		UID: uid, Key: req.GetIdempotencyKey(), Items: wanted, Email: req.GetEmail(), GivenName: req.GetGivenName(), FamilyName: req.GetFamilyName(),
	})
	if err != nil {
		return nil, err
	}
	return &billingv1.StartCheckoutResponse{OrderId: o.ID.String(), SessionId: o.SessionID, Url: o.SessionURL}, nil
}
