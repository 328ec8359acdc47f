package rpc

import (
	"context"

	basketv1 "serein.app/proto/gen/serein/basket/v1"
	"serein.app/services/platform/auth"
)

// GetBasket answers for the member named by the caller's token.
func (h *Handler) GetBasket(ctx context.Context, _ *basketv1.GetBasketRequest) (*basketv1.GetBasketResponse, error) {
	uid, err := auth.MemberID(ctx)
	if err != nil {
		return nil, err
	}
	found, err := h.store.Basket(ctx, uid)
	if err != nil {
		return nil, err
	}
	return &basketv1.GetBasketResponse{Basket: toProto(found)}, nil
}
