package rpc

import (
	"context"

	billingv1 "serein.app/proto/gen/serein/billing/v1"
	"serein.app/services/platform/auth"
)

// OpenPortal answers the address where the member mends their card.
func (h *SalesHandler) OpenPortal(ctx context.Context, _ *billingv1.OpenPortalRequest) (*billingv1.OpenPortalResponse, error) {
	uid, err := auth.MemberID(ctx)
	if err != nil {
		return nil, err
	}
	address, err := h.seller.Portal(ctx, uid)
	if err != nil {
		return nil, err
	}
	return &billingv1.OpenPortalResponse{Url: address}, nil
}
