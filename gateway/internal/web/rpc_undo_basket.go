package web

import (
	"context"

	basketv1 "serein.app/proto/gen/serein/basket/v1"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

// UndoBasket takes the last change back.
func (s *Screens) UndoBasket(ctx context.Context, req *webv1.UndoBasketRequest) (*webv1.UndoBasketResponse, error) {
	shown, err := s.changeBasket(ctx, func(guestID string) (*basketv1.Basket, error) {
		res, err := s.Clients.Baskets.Undo(ctx, &basketv1.UndoRequest{GuestId: guestID, Version: req.GetVersion()})
		return res.GetBasket(), err
	})
	return &webv1.UndoBasketResponse{Basket: shown}, err
}
