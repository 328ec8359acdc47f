package web

import (
	"context"

	basketv1 "serein.app/proto/gen/serein/basket/v1"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

// AddToBasket puts one more of a product into the caller's basket, unless their plan does not let them buy it.
func (s *Screens) AddToBasket(ctx context.Context, req *webv1.AddToBasketRequest) (*webv1.AddToBasketResponse, error) {
	found, err := s.shopCatalogue(ctx)
	if err != nil {
		return nil, err
	}
	i := sku{req.GetProductId(), req.GetSize()}
	if err := s.mayBuy(ctx, found.lookup(i).kind, i); err != nil {
		return nil, err
	}
	out := &webv1.AddToBasketResponse{}
	out.Basket, err = s.changeBasket(ctx, func(guestID string) (*basketv1.Basket, error) {
		res, err := s.Clients.Baskets.AddItem(ctx, &basketv1.AddItemRequest{
			GuestId: guestID, RequestId: req.GetRequestId(), ProductId: i.id, Size: i.size, Replace: req.GetReplace(),
		})
		out.Outcome = outcomes[res.GetOutcome()]
		return res.GetBasket(), err
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}
