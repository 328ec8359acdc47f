package rpc

import (
	"context"

	"github.com/google/uuid"

	billingv1 "serein.app/proto/gen/serein/billing/v1"
	"serein.app/services/billing/internal/operators"
	"serein.app/services/platform/auth"
	"serein.app/services/platform/rpc"
)

// operate does an act for the admin who calls.
func (h *Handler) operate(ctx context.Context, kind operators.Kind, key, uid string, amount int64, reason string) (a operators.Act, changed int64, err error) {
	if kind != operators.CorrectCredits && !h.godControls {
		return a, 0, operators.ErrGodControlsOff
	}
	a = operators.Act{Kind: kind, Amount: amount}
	if a.Reason, err = operators.ReadReason(reason); err != nil {
		return a, 0, rpc.ErrInvalid.On("reason").Because(err)
	}
	if a.Actor, err = auth.MemberID(ctx); err != nil {
		return a, 0, err
	}
	if a.Key, err = parseID("idempotency_key", key); err != nil {
		return a, 0, err
	}
	if a.UID, err = parseID("uid", uid); err != nil {
		return a, 0, err
	}
	changed, err = h.store.Operate(ctx, a)
	return a, changed, err
}

func (h *Handler) subscriptionOf(ctx context.Context, uid uuid.UUID) (*billingv1.Subscription, error) {
	account, err := h.store.Account(ctx, uid)
	return toProtoSubscription(account.Subscription, h.now()), err
}
