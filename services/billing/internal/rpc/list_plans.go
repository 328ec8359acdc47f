package rpc

import (
	"context"

	billingv1 "serein.app/proto/gen/serein/billing/v1"
)

// ListPlans answers the whole catalogue, the same for everybody.
func (h *Handler) ListPlans(ctx context.Context, _ *billingv1.ListPlansRequest) (*billingv1.ListPlansResponse, error) {
	catalogue, err := h.store.Plans(ctx)
	if err != nil {
		return nil, err
	}
	res := &billingv1.ListPlansResponse{Plans: make([]*billingv1.Plan, len(catalogue))}
	for i, plan := range catalogue {
		res.Plans[i] = toProtoPlan(plan)
	}
	return res, nil
}
