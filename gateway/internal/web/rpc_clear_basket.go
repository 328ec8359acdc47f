package web

import (
	"context"

	basketv1 "serein.app/proto/gen/serein/basket/v1"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

// ClearBasket removes what is bought now; what is saved for later stays.
func (s *Screens) ClearBasket(ctx context.Context, req *webv1.ClearBasketRequest) (*webv1.ClearBasketResponse, error) {
	shown, err := s.changeBasket(ctx, func(guestID string) (*basketv1.Basket, error) {
		res, err := s.Clients.Baskets.Clear(ctx, &basketv1.ClearRequest{GuestId: guestID, Version: req.GetVersion()})
		return res.GetBasket(), err
	})
	return &webv1.ClearBasketResponse{Basket: shown}, err
}
