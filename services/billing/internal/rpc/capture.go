package rpc

import (
	"context"

	billingv1 "serein.app/proto/gen/serein/billing/v1"
)

// Capture spends a hold.
func (h *Handler) Capture(ctx context.Context, req *billingv1.CaptureRequest) (*billingv1.CaptureResponse, error) {
	id, err := parseID("hold_id", req.GetHoldId())
	if err != nil {
		return nil, err
	}
	if err := h.store.Capture(ctx, id); err != nil {
		return nil, err
	}
	return &billingv1.CaptureResponse{}, nil
}
