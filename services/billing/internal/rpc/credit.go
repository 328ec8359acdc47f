package rpc

import (
	"context"
	"errors"
	"strings"
	"time"
	"unicode"

	"github.com/google/uuid"
	"google.golang.org/protobuf/types/known/timestamppb"

	billingv1 "serein.app/proto/gen/serein/billing/v1"
	"serein.app/services/billing/internal/credits"
	"serein.app/services/platform/rpc"
)

// Credits answers CreditService.
type Credits struct{ store Store }

// NewCredits makes the handler.
func NewCredits(store Store) *Credits { return &Credits{store} }

// Hold sets credits aside.
func (c *Credits) Hold(ctx context.Context, req *billingv1.HoldRequest) (*billingv1.HoldResponse, error) {
	uid, err := parseID("uid", req.GetUid())
	if err != nil {
		return nil, err
	}
	for field, text := range map[string]string{
		"idempotency_key": req.GetIdempotencyKey(), "reference": req.GetReference(), "description": req.GetDescription(),
	} {
		if strings.ContainsFunc(text, unicode.IsControl) {
			return nil, rpc.ErrInvalid.On(field).Because(errors.New("control character"))
		}
	}
	hold, err := c.store.Hold(ctx, credits.HoldRequest{
		UID: uid, Amount: req.GetAmount(), Key: req.GetIdempotencyKey(), Reference: req.GetReference(),
		Description: req.GetDescription(), TTL: time.Duration(req.GetTtlSeconds()) * time.Second,
	})
	if err != nil {
		return nil, err
	}
	return &billingv1.HoldResponse{Hold: &billingv1.CreditHold{
		Id: hold.ID.String(), PlanCredits: hold.Plan, TopUpCredits: hold.TopUp, ExpiresAt: timestamppb.New(hold.ExpiresAt),
	}}, nil
}

// Capture spends a hold.
func (c *Credits) Capture(ctx context.Context, req *billingv1.CaptureRequest) (*billingv1.CaptureResponse, error) {
	id, err := parseID("hold_id", req.GetHoldId())
	if err != nil {
		return nil, err
	}
	if err := c.store.Capture(ctx, id); err != nil {
		return nil, err
	}
	return &billingv1.CaptureResponse{}, nil
}

// Release ends a hold without a charge.
func (c *Credits) Release(ctx context.Context, req *billingv1.ReleaseRequest) (*billingv1.ReleaseResponse, error) {
	id, err := parseID("hold_id", req.GetHoldId())
	if err != nil {
		return nil, err
	}
	if err := c.store.Release(ctx, id); err != nil {
		return nil, err
	}
	return &billingv1.ReleaseResponse{}, nil
}

// parseID cannot fail on what the contract's rules have let through.
func parseID(field, text string) (uuid.UUID, error) {
	id, err := uuid.Parse(text)
	if err != nil {
		return uuid.UUID{}, rpc.ErrInvalid.On(field).Because(err)
	}
	return id, nil
}
