package rpc

import (
	"context"
	"errors"
	"strings"
	"time"
	"unicode"

	"google.golang.org/protobuf/types/known/timestamppb"

	billingv1 "serein.app/proto/gen/serein/billing/v1"
	"serein.app/services/billing/internal/credits"
	"serein.app/services/platform/rpc"
)

// Hold sets credits aside.
func (h *Handler) Hold(ctx context.Context, req *billingv1.HoldRequest) (*billingv1.HoldResponse, error) {
	uid, err := parseID("uid", req.GetUid())
	if err != nil {
		return nil, err
	}
	for field, text := range map[string]string{"idempotency_key": req.GetIdempotencyKey(), "reference": req.GetReference()} {
		if strings.ContainsFunc(text, unicode.IsControl) {
			return nil, rpc.ErrInvalid.On(field).Because(errors.New("control character"))
		}
	}
	hold, balance, err := h.store.Hold(ctx, credits.HoldRequest{
		UID: uid, Amount: req.GetAmount(), Key: req.GetIdempotencyKey(), Reference: req.GetReference(),
		TTL: time.Duration(req.GetTtlSeconds()) * time.Second,
	})
	if err != nil {
		return nil, err
	}
	return &billingv1.HoldResponse{
		Hold: &billingv1.CreditHold{
			Id: hold.ID.String(), PlanCredits: hold.Plan, TopUpCredits: hold.TopUp, ExpiresAt: timestamppb.New(hold.ExpiresAt),
		},
		Balance: toProtoBalance(balance),
	}, nil
}
