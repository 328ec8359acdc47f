package rpc

import (
	"context"

	billingv1 "serein.app/proto/gen/serein/billing/v1"
	"serein.app/services/billing/internal/operators"
)

// CorrectCredits adds credits, or takes some back.
func (h *Handler) CorrectCredits(ctx context.Context, req *billingv1.CorrectCreditsRequest) (*billingv1.CorrectCreditsResponse, error) {
	a, changed, err := h.operate(ctx, operators.CorrectCredits, req.GetIdempotencyKey(), req.GetUid(), req.GetAmount(), req.GetReason())
	if err != nil {
		return nil, err
	}
	account, err := h.store.Account(ctx, a.UID)
	if err != nil {
		return nil, err
	}
	return &billingv1.CorrectCreditsResponse{Changed: changed, Balance: toProtoBalance(account.Balance)}, nil
}
