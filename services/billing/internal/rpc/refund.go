package rpc

import (
	"context"

	billingv1 "serein.app/proto/gen/serein/billing/v1"
)

// Refund gives the credits of a captured hold back.
func (h *Handler) Refund(ctx context.Context, req *billingv1.RefundRequest) (*billingv1.RefundResponse, error) {
	id, err := parseID("hold_id", req.GetHoldId())
	if err != nil {
		return nil, err
	}
	amount, err := h.store.Refund(ctx, id)
	if err != nil {
		return nil, err
	}
	return &billingv1.RefundResponse{Credits: amount}, nil
}
