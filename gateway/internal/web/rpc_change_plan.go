package web

import (
	"context"

	billingv1 "serein.app/proto/gen/serein/billing/v1"
	errorsv1 "serein.app/proto/gen/serein/errors/v1"
	webv1 "serein.app/proto/gen/serein/web/v1"
	"serein.app/services/platform/errs"
	"serein.app/services/platform/rpc"
)

// errChangeLate: what takes too long may be done all the same, and charged once.
var errChangeLate = errs.New(errs.DeadlineExceeded, errorsv1.Reason_REASON_DEADLINE_EXCEEDED,
	"That took too long. It may have gone through all the same, and you won’t be charged twice. Please check your membership before you try again.")

// ChangePlan changes the member's plan as they confirmed it. The amount is that of the quote they saw: billing asks the payment
// provider again, and refuses where it is another. It is never what is charged by.
func (s *Screens) ChangePlan(ctx context.Context, req *webv1.ChangePlanRequest) (*webv1.ChangePlanResponse, error) {
	amount, err := confirmed(req.GetCharged(), req.GetCredited())
	if err != nil {
		return nil, err
	}
	res, err := s.Clients.Subscriptions.ChangePlan(ctx, &billingv1.ChangePlanRequest{
		IdempotencyKey: req.GetIdempotencyKey(), PlanId: req.GetPlanId(), Period: req.GetPeriod(), At: req.GetAt(), Amount: amount,
	})
	if errs.KindOf(err) == errs.DeadlineExceeded {
		return nil, errChangeLate.Because(err)
	}
	if err != nil {
		return nil, err
	}
	return &webv1.ChangePlanResponse{Membership: membership(res.GetSubscription(), 0)}, nil
}

// confirmed is the amount of the quote that was seen, below 0 where it is credited.
func confirmed(charged, credited *webv1.Money) (int64, error) {
	switch {
	case charged.GetAmount() < 0:
		return 0, rpc.ErrInvalid.On("charged")
	case credited.GetAmount() < 0, charged.GetAmount() > 0 && credited.GetAmount() > 0:
		return 0, rpc.ErrInvalid.On("credited")
	}
	return charged.GetAmount() - credited.GetAmount(), nil
}
