package rpc

import (
	"context"

	"google.golang.org/protobuf/types/known/timestamppb"

	billingv1 "serein.app/proto/gen/serein/billing/v1"
	"serein.app/services/platform/auth"
)

// GetAccount answers for the member named by the caller's token.
func (h *Handler) GetAccount(ctx context.Context, _ *billingv1.GetAccountRequest) (*billingv1.GetAccountResponse, error) {
	uid, err := auth.MemberID(ctx)
	if err != nil {
		return nil, err
	}
	account, err := h.store.Account(ctx, uid)
	if err != nil {
		return nil, err
	}
	res := &billingv1.GetAccountResponse{
		Subscription: toProtoSubscription(account.Subscription, h.now()),
		Balance:      toProtoBalance(account.Balance),
	}
	if !account.ChangesAt.IsZero() {
		res.ChangesAt = timestamppb.New(account.ChangesAt)
	}
	return res, nil
}
