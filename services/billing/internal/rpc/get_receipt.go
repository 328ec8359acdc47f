package rpc

import (
	"context"

	billingv1 "serein.app/proto/gen/serein/billing/v1"
	"serein.app/services/billing/internal/receipt"
	"serein.app/services/billing/internal/sales"
	"serein.app/services/platform/auth"
)

// GetReceipt answers the receipt of one of the member's orders.
func (h *SalesHandler) GetReceipt(ctx context.Context, req *billingv1.GetReceiptRequest) (*billingv1.GetReceiptResponse, error) {
	uid, err := auth.MemberID(ctx)
	if err != nil {
		return nil, err
	}
	id, err := parseID("order_id", req.GetOrderId())
	if err != nil {
		return nil, err
	}
	o, err := h.seller.Receipt(ctx, uid, id)
	if err != nil {
		return nil, err
	}
	buyer := receipt.Buyer{Name: sales.FullName(req.GetGivenName(), req.GetFamilyName()), Email: req.GetEmail()}
	pdf, err := receipt.PDF(o, h.house, buyer)
	if err != nil {
		return nil, err
	}
	return &billingv1.GetReceiptResponse{Pdf: pdf, Number: o.Number()}, nil
}
