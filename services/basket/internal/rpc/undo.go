package rpc

import (
	"context"

	basketv1 "serein.app/proto/gen/serein/basket/v1"
	"serein.app/services/basket/internal/basket"
)

// Undo takes the last change back.
func (h *Handler) Undo(ctx context.Context, req *basketv1.UndoRequest) (*basketv1.UndoResponse, error) {
	b, _, err := h.change(ctx, req.GetGuestId(), basket.Command{Version: &req.Version, At: h.at(), Change: func(b basket.Basket) (basket.Basket, basket.Outcome, error) {
		next, err := b.Undo()
		return next, 0, err
	}})
	if err != nil {
		return nil, err
	}
	return &basketv1.UndoResponse{Basket: toProto(b)}, nil
}
