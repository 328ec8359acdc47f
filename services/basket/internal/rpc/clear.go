package rpc

import (
	"context"

	basketv1 "serein.app/proto/gen/serein/basket/v1"
	"serein.app/services/basket/internal/basket"
)

// Clear removes what is bought now.
func (h *Handler) Clear(ctx context.Context, req *basketv1.ClearRequest) (*basketv1.ClearResponse, error) {
	b, _, err := h.change(ctx, req.GetGuestId(), basket.Command{Version: &req.Version, At: h.at(), Change: func(b basket.Basket) (basket.Basket, basket.Outcome, error) {
		return b.Clear(), 0, nil
	}})
	if err != nil {
		return nil, err
	}
	return &basketv1.ClearResponse{Basket: toProto(b)}, nil
}
