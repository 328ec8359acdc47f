package rpc

import (
	"context"

	basketv1 "serein.app/proto/gen/serein/basket/v1"
)

// GetBasket answers an empty basket to an owner without a basket.
func (h *Handler) GetBasket(ctx context.Context, req *basketv1.GetBasketRequest) (*basketv1.GetBasketResponse, error) {
	owner, err := ownerOf(ctx, req.GetGuestId())
	if err != nil {
		return nil, err
	}
	found, err := h.store.Basket(ctx, owner)
	if err != nil {
		return nil, err
	}
	return &basketv1.GetBasketResponse{Basket: toProto(found)}, nil
}
