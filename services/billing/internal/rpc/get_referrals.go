package rpc

import (
	"context"

	billingv1 "serein.app/proto/gen/serein/billing/v1"
	"serein.app/services/billing/internal/credits"
	"serein.app/services/platform/auth"
)

// GetReferrals answers what the invitations of the member named by the caller's token came to.
func (h *Handler) GetReferrals(ctx context.Context, _ *billingv1.GetReferralsRequest) (*billingv1.GetReferralsResponse, error) {
	uid, err := auth.MemberID(ctx)
	if err != nil {
		return nil, err
	}
	r, err := h.store.Referrals(ctx, uid)
	if err != nil {
		return nil, err
	}
	return &billingv1.GetReferralsResponse{Invited: r.Invited, Rewarded: r.Rewarded, Credits: r.Credits, Reward: credits.Reward}, nil
}
