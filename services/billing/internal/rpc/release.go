package rpc

import (
	"context"

	billingv1 "serein.app/proto/gen/serein/billing/v1"
)

// Release ends a hold without a charge.
func (h *Handler) Release(ctx context.Context, req *billingv1.ReleaseRequest) (*billingv1.ReleaseResponse, error) {
	id, err := parseID("hold_id", req.GetHoldId())
	if err != nil {
		return nil, err
	}
	if err := h.store.Release(ctx, id); err != nil {
		return nil, err
	}
	return &billingv1.ReleaseResponse{}, nil
}
