package rpc

import (
	"context"

	"github.com/google/uuid"

	basketv1 "serein.app/proto/gen/serein/basket/v1"
	"serein.app/services/basket/internal/basket"
)

// SetQuantity of a line; 0 removes it.
func (h *Handler) SetQuantity(ctx context.Context, req *basketv1.SetQuantityRequest) (*basketv1.SetQuantityResponse, error) {
	line, err := uuid.Parse(req.GetLineId())
	if err != nil {
		return nil, err
	}
	sold := h.prices(ctx)
	b, _, err := h.change(ctx, req.GetGuestId(), basket.Command{Version: &req.Version, At: h.at(), Change: func(b basket.Basket) (basket.Basket, basket.Outcome, error) {
		next, err := b.SetQuantity(line, req.GetQuantity(), sold)
		return next, 0, err
	}})
	if err != nil {
		return nil, err
	}
	return &basketv1.SetQuantityResponse{Basket: toProto(b)}, nil
}
