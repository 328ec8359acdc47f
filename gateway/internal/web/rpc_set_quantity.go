package web

import (
	"context"

	basketv1 "serein.app/proto/gen/serein/basket/v1"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

// SetQuantity changes how many of a line are bought; 0 removes it.
func (s *Screens) SetQuantity(ctx context.Context, req *webv1.SetQuantityRequest) (*webv1.SetQuantityResponse, error) {
	shown, err := s.changeBasket(ctx, func(guestID string) (*basketv1.Basket, error) {
		res, err := s.Clients.Baskets.SetQuantity(ctx, &basketv1.SetQuantityRequest{
			GuestId: guestID, Version: req.GetVersion(), LineId: req.GetLineId(), Quantity: req.GetQuantity(),
		})
		return res.GetBasket(), err
	})
	return &webv1.SetQuantityResponse{Basket: shown}, err
}
