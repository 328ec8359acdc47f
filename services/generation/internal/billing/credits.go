// Package billing lets the generation service hold, capture and release a member's credits
// through the billing service. It owns no number: how much a member has only billing knows.
package billing

import (
	"context"

	billingv1 "serein.app/proto/gen/serein/billing/v1"
	"serein.app/proto/gen/serein/billing/v1/billingv1connect"
	"serein.app/services/generation/internal/meditation"
	"serein.app/services/platform/auth"
)

// Credits is the client. Its errors carry billing's reasons.
type Credits struct {
	client billingv1connect.CreditServiceClient
}

var _ meditation.Credits = (*Credits)(nil)

// New makes Credits of a signed client.
func New(client billingv1connect.CreditServiceClient) *Credits { return &Credits{client} }

// Hold sets the cost aside, keyed by the meditation's id.
func (c *Credits) Hold(ctx context.Context, m meditation.Meditation) (string, error) {
	res, err := c.client.Hold(auth.WithMember(ctx, m.UID), &billingv1.HoldRequest{
		Uid: m.UID, Amount: int64(m.Cost), IdempotencyKey: m.ID, Reference: "meditation:" + m.ID,
		Description: m.Title, TtlSeconds: int64(meditation.HoldTime.Seconds()),
	})
	if err != nil {
		return "", err
	}
	return res.GetHold().GetId(), nil
}

// Capture spends the hold.
func (c *Credits) Capture(ctx context.Context, uid, holdID string) error {
	_, err := c.client.Capture(auth.WithMember(ctx, uid), &billingv1.CaptureRequest{HoldId: holdID})
	return err
}

// Release ends the hold without a charge.
func (c *Credits) Release(ctx context.Context, uid, holdID string) error {
	_, err := c.client.Release(auth.WithMember(ctx, uid), &billingv1.ReleaseRequest{HoldId: holdID})
	return err
}
