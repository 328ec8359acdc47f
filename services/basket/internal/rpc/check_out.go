package rpc

import (
	"context"

	"github.com/google/uuid"

	basketv1 "serein.app/proto/gen/serein/basket/v1"
	"serein.app/services/platform/auth"
)

// CheckOut tells that an order was made of the member's basket as it is.
func (h *Handler) CheckOut(ctx context.Context, req *basketv1.CheckOutRequest) (*basketv1.CheckOutResponse, error) {
	uid, err := auth.MemberID(ctx)
	if err != nil {
		return nil, err
	}
	order, err := uuid.Parse(req.GetOrderId())
	if err != nil {
		return nil, err
	}
	if err := h.store.CheckOut(ctx, uid, order, req.GetVersion()); err != nil {
		h.refused(ctx, err)
		return nil, err
	}
	return &basketv1.CheckOutResponse{}, nil
}
