// Package billing lets the generation service hold, capture and release a member's credits
// through the billing service. It owns no number: how much a member has only billing knows.
package billing

import (
	"context"

	"github.com/google/uuid"

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

// Hold sets the cost aside, keyed by the meditation's id. The title stays here.
func (c *Credits) Hold(ctx context.Context, m meditation.Meditation) (meditation.Hold, error) {
	res, err := c.client.Hold(auth.WithMember(ctx, m.UID.String()), &billingv1.HoldRequest{
		Uid: m.UID.String(), Amount: int64(m.Cost), IdempotencyKey: m.ID.String(), Reference: "meditation:" + m.ID.String(),
		TtlSeconds: int64(meditation.HoldTime.Seconds()),
	})
	if err != nil {
		return meditation.Hold{}, err
	}
	id, err := uuid.Parse(res.GetHold().GetId())
	left := res.GetBalance()
	return meditation.Hold{
		ID:      id,
		Balance: meditation.Balance{Plan: left.GetPlanAvailable(), TopUp: left.GetTopUpAvailable(), Held: left.GetHeld()},
	}, err
}

// Capture spends the hold.
func (c *Credits) Capture(ctx context.Context, uid, holdID uuid.UUID) error {
	_, err := c.client.Capture(auth.WithMember(ctx, uid.String()), &billingv1.CaptureRequest{HoldId: holdID.String()})
	return err
}

// Refund gives the credits of a captured hold back.
func (c *Credits) Refund(ctx context.Context, uid, holdID uuid.UUID) error {
	_, err := c.client.Refund(auth.WithMember(ctx, uid.String()), &billingv1.RefundRequest{HoldId: holdID.String()})
	return err
}

// Release ends the hold without a charge.
func (c *Credits) Release(ctx context.Context, uid, holdID uuid.UUID) error {
	_, err := c.client.Release(auth.WithMember(ctx, uid.String()), &billingv1.ReleaseRequest{HoldId: holdID.String()})
	return err
}
