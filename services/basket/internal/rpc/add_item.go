package rpc

import (
	"context"

	"github.com/google/uuid"

	basketv1 "serein.app/proto/gen/serein/basket/v1"
	"serein.app/services/basket/internal/basket"
)

// AddItem puts one more of what is sold into the basket, once a request.
func (h *Handler) AddItem(ctx context.Context, req *basketv1.AddItemRequest) (*basketv1.AddItemResponse, error) {
	request, err := uuid.Parse(req.GetRequestId())
	if err != nil {
		return nil, err
	}
	sold, err := h.shop.Catalogue(ctx)
	if err != nil {
		return nil, err
	}
	id, err := h.newID()
	if err != nil {
		return nil, err
	}
	at := h.at()
	b, outcome, err := h.change(ctx, req.GetGuestId(), basket.Command{Request: request, At: at, Change: func(b basket.Basket) (basket.Basket, basket.Outcome, error) {
		// Within the change, so that a repeat is answered also when it is no longer sold.
		item, err := sold.Item(req.GetProductId(), req.GetSize())
		if err != nil {
			return b, 0, err
		}
		return b.Add(basket.Addition{Item: item, Replace: req.GetReplace(), ID: id, At: at})
	}})
	if err != nil {
		return nil, err
	}
	return &basketv1.AddItemResponse{Basket: toProto(b), Outcome: toProtoOutcome(outcome)}, nil
}
