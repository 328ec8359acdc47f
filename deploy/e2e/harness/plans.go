package harness

import (
	"context"
	"errors"
	"slices"

	billingv1 "serein.app/proto/gen/serein/billing/v1"
	"serein.app/proto/gen/serein/billing/v1/billingv1connect"
)

// Trial is the free trial as the catalogue has it: what a member's first days and credits are
// compared with.
func (h *Harness) Trial(ctx context.Context) (*billingv1.Plan, error) {
	token, err := h.ServiceToken("gateway", "billing")
	if err != nil {
		return nil, err
	}
	conn, err := h.Dial("billing")
	if err != nil {
		return nil, err
	}
	defer func() { _ = conn.Close() }()
	res := &billingv1.ListPlansResponse{}
	err = conn.Invoke(Bearer(ctx, token), billingv1connect.PlanServiceListPlansProcedure, &billingv1.ListPlansRequest{}, res)
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(res.GetPlans(), func(p *billingv1.Plan) bool { return p.GetKind() == billingv1.PlanKind_PLAN_KIND_TRIAL })
	if i < 0 {
		return nil, errors.New("no plan is the trial")
	}
	return res.GetPlans()[i], nil
}
