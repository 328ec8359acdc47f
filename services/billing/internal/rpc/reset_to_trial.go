package rpc

import (
	"context"

	billingv1 "serein.app/proto/gen/serein/billing/v1"
	"serein.app/services/billing/internal/operators"
)

// ResetToTrial gives a member another trial.
func (h *Handler) ResetToTrial(ctx context.Context, req *billingv1.ResetToTrialRequest) (*billingv1.ResetToTrialResponse, error) {
	a, _, err := h.operate(ctx, operators.ResetToTrial, req.GetIdempotencyKey(), req.GetUid(), 0, req.GetReason())
	if err != nil {
		return nil, err
	}
	sub, err := h.subscriptionOf(ctx, a.UID)
	return &billingv1.ResetToTrialResponse{Subscription: sub}, err
}
