package rpc

import (
	"context"

	"github.com/google/uuid"

	basketv1 "serein.app/proto/gen/serein/basket/v1"
	"serein.app/services/platform/auth"
)

// GetBasket answers for the member named by the caller's token.
func (h *Handler) GetBasket(ctx context.Context, _ *basketv1.GetBasketRequest) (*basketv1.GetBasketResponse, error) {
	uid, err := uuid.Parse(auth.Member(ctx))
	if err != nil {
		return nil, auth.ErrUnauthenticated.Because(err)
	}
	found, err := h.store.Basket(ctx, uid)
	if err != nil {
		return nil, err
	}
	return &basketv1.GetBasketResponse{Basket: toProto(found)}, nil
}
